#!/usr/bin/env bash
# Validates the manifests in deploy/kubernetes with the code of the Kubernetes API server, and
# checks that it rejects injected mistakes. Needs Go; the first build takes minutes.
set -euo pipefail
cd "$(dirname "$0")/kubernetes"
command -v go >/dev/null || { echo "skipped: go is not installed"; exit 0; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
go build -o "$work/validate" .
manifests=../../../deploy/kubernetes
(cd "$manifests" && "$work/validate" *.yaml)

must_be_rejected() {
    sed "$1" "$manifests/sweep.yaml" >"$work/wrong.yaml"
    if "$work/validate" "$work/wrong.yaml" >"$work/result"; then echo "not rejected: $1"; exit 1; fi
    echo "rejected: $(grep -v ': valid$' "$work/result" | head -n 1 | cut -c "$((${#work} + 2))-220")"
}
must_be_rejected 's/backoffLimitPerIndex/backoffLimitByIndex/'
must_be_rejected 's/completionMode: Indexed/completionMode: NonIndexed/'
must_be_rejected 's/containerName: sweep/containerName: swept/'
must_be_rejected 's/restartPolicy: Never/restartPolicy: Always/'
must_be_rejected 's/values: \[1, 2, 3, 4\]/values: [0, 1]/'
echo "all manifests are valid, and every injected mistake is rejected"
