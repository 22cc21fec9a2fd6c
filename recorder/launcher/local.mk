# mpiwatch-record, and the settings that it shares with the preloaded libraries.
MWR_SETTINGS_SOURCES = \
	recorder/settings.c \
	recorder/settings.h
