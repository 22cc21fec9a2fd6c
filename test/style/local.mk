# Tests of the sources' form and of what is built from them.
