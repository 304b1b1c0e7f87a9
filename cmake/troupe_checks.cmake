# The house rules as tests; see each script for what it holds.
