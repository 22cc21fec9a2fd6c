# recorder
include recorder/launcher/local.mk
