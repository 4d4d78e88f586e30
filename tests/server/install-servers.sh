#!/bin/sh
# Brings PostgreSQL and Redis for the tests, if they are missing and may be installed.
set -eu
missing=""
ls /usr/lib/postgresql/*/bin/postgres >/dev/null 2>&1 || command -v postgres >/dev/null || missing="postgresql"
command -v redis-server >/dev/null || missing="$missing redis-server"
[ -n "$missing" ] || exit 0
install="apt-get install --yes --no-install-recommends $missing"
if [ "$(id -u)" -eq 0 ] && command -v apt-get >/dev/null; then
    echo "== installing $missing"
    export DEBIAN_FRONTEND=noninteractive
    apt-get update --quiet --quiet >/dev/null
    $install --quiet --quiet >/dev/null
else
    echo "The tests need $missing. Install it, as root: $install" >&2
    exit 1
fi
