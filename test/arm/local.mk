# make check-arm: a build for 64-bit ARM by a cross compiler, its unit tests and recordings by QEMU.
# ARM_TESTS are names of system tests, without .sh, that run there as well.
EXTRA_DIST += test/arm/emulated.c test/arm/in_arm.sh

.PHONY: check-arm
check-arm: mpiwatch-analyze
	@TOP_SRCDIR='$(abs_top_srcdir)' TOP_BUILDDIR='$(abs_top_builddir)' TESTS='$(ARM_TESTS)' \
		bash '$(srcdir)/test/arm/in_arm.sh'

distclean-local: distclean-arm
.PHONY: distclean-arm
distclean-arm:
	rm -rf arm
