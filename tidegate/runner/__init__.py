"""A pipeline of the run-time spec and the options of a run enter; the outcome of the run leaves."""
