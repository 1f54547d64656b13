#!/usr/bin/env bash
# What a pipeline does: `deploy.sh plan` for a change request, `deploy.sh apply` after its merge.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"

case ${1:-} in
  plan) belfry diff jobs || [ $? -eq 1 ] ;;                      # 1: something would change, which is no failure
  apply) belfry apply jobs --prune --selector set=billing --yes ;; # deletes only what has the label
  *) echo "usage: deploy.sh plan|apply" >&2; exit 2 ;;
esac
