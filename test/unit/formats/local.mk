# Unit tests of formats/.
