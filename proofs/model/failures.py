"""The ways in which a proof can fail: a counterexample, or an inconclusive run."""


class Refuted(Exception):
    """The property is false. The message names an input or an access."""


class Inconclusive(Exception):
    """Nothing is proved: a path could not be run, an input is not covered, or the solver has no
    answer."""
