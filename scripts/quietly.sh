#!/bin/sh
# Run a command, and show its output only if it fails: quietly.sh COMMAND ARGUMENT…
log=$(mktemp) || exit 1
trap 'rm -f "$log"' EXIT
trap 'exit 130' INT TERM
"$@" >"$log" 2>&1 && exit 0
status=$?
cat "$log" >&2
exit "$status"
