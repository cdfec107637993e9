#!/usr/bin/env bash
# Injects a fault into each source file of the AVX-512 code that is proved, and into the proved code of
# other kernels, builds it, and shows that the proof of that code refutes it. Ends with the files of the
# AVX-512 code for which there is no such fault. The faults are checks/injected-faults/proof-*.patch; names
# without `proof-` choose some: `proofs/source-faults.sh groups vector`.
set -euo pipefail
cd "$(dirname "$0")/.."

patches=(checks/injected-faults/proof-*.patch)
names=("${patches[@]##*/}")
names=("${names[@]%.patch}")
[ $# -eq 0 ] || names=("${@/#/proof-}")
outcome=0
checks/injected-faults/run.sh "${names[@]}" || outcome=$?

printf '\nwithout a fault, because no proof covers them:\n'
covered=$(sed -n 's/^+++ b\///p' "${patches[@]}")
for file in $(git ls-files 'src/simd/avx512/*.rs' src/simd/single/avx512.rs); do
    grep -qxF "$file" <<<"$covered" || echo "  $file"
done
exit $outcome
