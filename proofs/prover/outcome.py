"""How a proof can fail: by a counterexample, or because the run says too little."""


class Refuted(Exception):
    """The property does not hold: the message names an input or an access."""


class Inconclusive(Exception):
    """Nothing is proved: a path could not be run, an input is not covered, or the solver gave up."""
