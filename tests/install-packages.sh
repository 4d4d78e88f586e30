#!/bin/sh
# Brings what the tests need of `chromium`, `postgresql` and `redis-server`, named as arguments:
# installs what is missing if it may, otherwise says how and fails.
set -eu

is_there() {
    case $1 in
        chromium) command -v chromium || command -v chromium-browser || command -v google-chrome ;;
        postgresql) ls /usr/lib/postgresql/*/bin/postgres 2>/dev/null || command -v postgres ;;
        *) command -v "$1" ;;
    esac >/dev/null
}

missing=""
for package in "$@"; do
    is_there "$package" || missing="$missing $package"
done
[ -n "$missing" ] || exit 0

install="apt-get install --yes --no-install-recommends$missing"
if [ "$(id -u)" -eq 0 ] && command -v apt-get >/dev/null; then
    echo "== installing$missing"
    export DEBIAN_FRONTEND=noninteractive
    apt-get update --quiet --quiet >/dev/null
    $install --quiet --quiet >/dev/null
else
    echo "The tests need$missing. Install that as root: $install" >&2
    exit 1
fi
