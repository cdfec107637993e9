#!/usr/bin/env bash
# Holds the manifests in deploy/kubernetes against the validation of the Kubernetes API server itself, and sees that it notices
# mistakes. Needs Go; the first build takes minutes.
set -euo pipefail
cd "$(dirname "$0")/kubernetes"
command -v go >/dev/null || { echo "skipped: go is not installed"; exit 0; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
go build -o "$work/judge" .
manifests=../../../deploy/kubernetes
(cd "$manifests" && "$work/judge" *.yaml)

noticed() {
    sed "$1" "$manifests/sweep.yaml" >"$work/wrong.yaml"
    if "$work/judge" "$work/wrong.yaml" >"$work/verdict"; then echo "not noticed: $1"; exit 1; fi
    echo "noticed: $(grep -v ': valid$' "$work/verdict" | head -n 1 | cut -c "$((${#work} + 2))-220")"
}
noticed 's/backoffLimitPerIndex/backoffLimitByIndex/'
noticed 's/completionMode: Indexed/completionMode: NonIndexed/'
noticed 's/containerName: sweep/containerName: swept/'
noticed 's/restartPolicy: Never/restartPolicy: Always/'
noticed 's/values: \[1, 2, 3\]/values: [0, 1]/'
echo "all valid, and every planted mistake noticed"
