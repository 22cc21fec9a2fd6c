# What an installation has besides programs: mpiwatch.pc, modulefiles in Tcl and Lua, examples, a
# Python module, and mpiwatch-archive(5), which is made of formats/ARCHIVE.md. The tarball has that
# page, so that only a checkout needs lowdown.
EXTRA_DIST += \
	packaging/archive_page.sed \
	packaging/mpiwatch.pc.in \
	packaging/easyconfig.eb.in \
	packaging/modulefile.in \
	packaging/modulefile.lua.in \
	packaging/package.py.in

# Debian's packages, which make check-packages builds and uses (test/packages/).
EXTRA_DIST += \
	debian/changelog \
	debian/control \
	debian/copyright \
	debian/libmpiwatch-dev.install \
	debian/libmpiwatch-mpich.install \
	debian/libmpiwatch-mpich.lintian-overrides \
	debian/libmpiwatch-openmpi.install \
	debian/libmpiwatch-openmpi.lintian-overrides \
	debian/mpiwatch-doc.doc-base \
	debian/mpiwatch-doc.install \
	debian/mpiwatch.docs \
	debian/mpiwatch.install \
	debian/mpiwatch.lintian-overrides \
	debian/not-installed \
	debian/rules \
	debian/source/format \
	debian/source/lintian-overrides

dist_man_MANS += packaging/mpiwatch-archive.5
MAINTAINERCLEANFILES += packaging/mpiwatch-archive.5
# lowdown's font C is one that newer groffs and mandoc know as CR only.
man_fonts = s/\\fC/\\f(CR/g
# A page in a tarball says what this file says now: its date, its version, its fonts.
packaging/mpiwatch-archive.5: formats/ARCHIVE.md packaging/archive_page.sed packaging/local.mk
	$(AM_V_GEN)$(MKDIR_P) $(@D) && \
	{ test -n '$(LOWDOWN)' || { echo "lowdown is needed to make $@" >&2; exit 1; }; } && \
	{ echo "'\\\" t" && $(SED) -f $(srcdir)/packaging/archive_page.sed \
		$(srcdir)/formats/ARCHIVE.md | $(LOWDOWN) -s -Tman --parse-no-intraemph \
		-m title=MPIWATCH-ARCHIVE -m section=5 -m date='November 2026' -m source='mpiwatch 0.2' \
		-m volume='File formats' /dev/stdin | $(SED) '$(man_fonts)'; } >$@.new && mv $@.new $@

packaging_subst = $(SED) \
	-e 's|@prefix[@]|$(prefix)|g' \
	-e 's|@bindir[@]|$(bindir)|g' \
	-e 's|@libdir[@]|$(libdir)|g' \
	-e 's|@mandir[@]|$(mandir)|g' \
	-e 's|@pkgdatadir[@]|$(pkgdatadir)|g' \
	-e 's|@pkgincludedir[@]|$(pkgincludedir)|g' \
	-e 's|@VERSION[@]|$(VERSION)|g'
pkgconfigdir = $(libdir)/pkgconfig
pkgconfig_DATA = packaging/mpiwatch.pc
modulefilesdir = $(datadir)/modulefiles/mpiwatch
modulefiles_DATA = packaging/$(VERSION) packaging/$(VERSION).lua
# For those who install it by Spack or EasyBuild: not installed itself.
noinst_DATA = packaging/package.py packaging/mpiwatch-$(VERSION)-gompi-2023b.eb
CLEANFILES += packaging/mpiwatch.pc $(modulefiles_DATA) $(noinst_DATA)
packaging/package.py: packaging/package.py.in Makefile
	$(AM_V_GEN)$(MKDIR_P) $(@D) && $(packaging_subst) $(srcdir)/packaging/package.py.in >$@
packaging/mpiwatch-$(VERSION)-gompi-2023b.eb: packaging/easyconfig.eb.in Makefile
	$(AM_V_GEN)$(MKDIR_P) $(@D) && $(packaging_subst) $(srcdir)/packaging/easyconfig.eb.in >$@
packaging/mpiwatch.pc: packaging/mpiwatch.pc.in Makefile
	$(AM_V_GEN)$(MKDIR_P) $(@D) && $(packaging_subst) $(srcdir)/packaging/mpiwatch.pc.in >$@
packaging/$(VERSION): packaging/modulefile.in Makefile
	$(AM_V_GEN)$(MKDIR_P) $(@D) && $(packaging_subst) $(srcdir)/packaging/modulefile.in >$@
packaging/$(VERSION).lua: packaging/modulefile.lua.in Makefile
	$(AM_V_GEN)$(MKDIR_P) $(@D) && $(packaging_subst) $(srcdir)/packaging/modulefile.lua.in >$@

examplesdir = $(docdir)/examples
dist_examples_DATA = examples/faults.c examples/python/lines_that_wait.py examples/slurm.sbatch \
	examples/pbs.sh examples/lsf.sh

pythonmoddir = $(pkgdatadir)/python
dist_pythonmod_DATA = python/mpiwatch.py

# make html: the manual as a site that needs nothing else, in html/.
EXTRA_DIST += packaging/site.sh packaging/site.css
site_pages = $(dist_man_MANS) $(man_MANS)
html/index.html: packaging/site.sh packaging/site.css $(site_pages) analyzer/man/tutorial.py \
		$(tutorial).md mpiwatch-analyze$(EXEEXT)
	$(AM_V_GEN)rm -rf html html.new && $(MKDIR_P) html.new && \
	for tool in "lowdown $(LOWDOWN)" "mandoc $(MANDOC)"; do \
		test "$$tool" != "$${tool%% *} " || \
			{ echo "$${tool%% *} is needed to make $@" >&2; exit 1; }; \
	done && \
	$(PYTHON3) $(srcdir)/analyzer/man/tutorial.py html $(srcdir)/$(tutorial).md \
		./mpiwatch-analyze$(EXEEXT) $(srcdir)/test/system/planted.py $(LOWDOWN) html.new && \
	cp $(srcdir)/packaging/site.css html.new/ && \
	MANDOC='$(MANDOC)' VERSION='$(VERSION)' sh $(srcdir)/packaging/site.sh html.new \
		$(filter %.1 %.3 %.5 %.7,$^) && mv html.new html
html-local: html/index.html
install-html-local: html/index.html
	$(MKDIR_P) $(DESTDIR)$(htmldir)/html
	$(INSTALL_DATA) html/* $(DESTDIR)$(htmldir)/html
uninstall-local:
	rm -rf $(DESTDIR)$(htmldir)/html
clean-local: clean-site
.PHONY: clean-site
clean-site:
	rm -rf html html.new
