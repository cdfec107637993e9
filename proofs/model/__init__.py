"""The model of x86-64: words of known and unknown bits, what instructions do, and the compiled library."""
