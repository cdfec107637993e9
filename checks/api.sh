#!/usr/bin/env bash
# Compares the public API of the three packages, with all features, with an earlier one, and names
# every incompatible change that the version numbers do not allow.
#   checks/api.sh                      the last release in the registry is the baseline
#   checks/api.sh v0.1.0               a git revision is the baseline
#   checks/api.sh v0.1.0 pprof-views   one package
# Needs cargo-semver-checks, which builds the documentation of both versions as JSON. Exit code 1 if
# a change is incompatible.
set -euo pipefail
cd "$(dirname "$0")/.."

if ! cargo semver-checks --version >/dev/null 2>&1; then
    echo "skipped: cargo-semver-checks is not installed; run cargo install cargo-semver-checks --locked"
    exit
fi

baseline=()
[ $# -eq 0 ] || baseline=(--baseline-rev "$1")
packages=("${@:2}")
[ ${#packages[@]} -gt 0 ] || packages=(pprof-views varint-sweep zigzag-varint)

failed=0
for package in "${packages[@]}"; do
    printf '\n== %s\n' "$package"
    cargo semver-checks --package "$package" --all-features "${baseline[@]}" || failed=1
done
exit $failed
