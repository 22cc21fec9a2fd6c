# analyzer
