"""Proofs about the machine code of the AVX-512 kernels, loops included. README.md explains them."""
