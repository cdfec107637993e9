"""Proofs about single values and steps of loops. Neither has a loop of its own: a call of a step stands for it."""
