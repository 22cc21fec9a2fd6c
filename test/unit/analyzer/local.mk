# Unit tests of analyzer/.
