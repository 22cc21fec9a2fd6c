# make check-packages: Debian's packages, built of the tarball in a clean Debian 12 and 13, looked
# at by lintian, installed in others of their kind, and used there.
EXTRA_DIST += test/packages/in_debian.sh test/packages/use.sh

.PHONY: check-packages
check-packages: dist
	@TARBALL='$(distdir).tar.xz' TOP_SRCDIR='$(abs_top_srcdir)' TOP_BUILDDIR='$(abs_top_builddir)' \
		TARBALL_VERSION='$(VERSION)' bash '$(srcdir)/test/packages/in_debian.sh' $(RELEASES)

distclean-local: distclean-packages
.PHONY: distclean-packages
distclean-packages:
	rm -rf packages
