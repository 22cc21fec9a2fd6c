# mpiwatch-record, and the settings that it shares with the preloaded libraries,
# which list $(MWR_SETTINGS_FILES) among their sources. (Automake takes a variable
# that ends in _SOURCES for a program's.)
MWR_SETTINGS_FILES = \
	recorder/settings.c \
	recorder/settings.h
