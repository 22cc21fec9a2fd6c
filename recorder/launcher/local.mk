# mpiwatch-record, and the settings that it shares with the preloaded libraries.
AM_VARTYPOS_WHITELIST = MWR_SETTINGS_SOURCES
MWR_SETTINGS_SOURCES = \
	recorder/settings.c \
	recorder/settings.h
