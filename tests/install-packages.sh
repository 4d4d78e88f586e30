#!/bin/sh
# Install what is missing of the packages named as arguments: chromium, postgresql, redis-server.
# Without the right to do so, print the command and fail.
set -eu

is_installed() {
    case $1 in
        chromium) command -v chromium || command -v chromium-browser || command -v google-chrome ;;
        postgresql) ls /usr/lib/postgresql/*/bin/postgres 2>/dev/null || command -v postgres ;;
        *) command -v "$1" ;;
    esac >/dev/null
}

missing=""
for package in "$@"; do
    is_installed "$package" || missing="$missing $package"
done
[ -n "$missing" ] || exit 0

install="apt-get install --yes --no-install-recommends$missing"
if [ "$(id -u)" -eq 0 ] && command -v apt-get >/dev/null; then
    echo "== installing$missing"
    export DEBIAN_FRONTEND=noninteractive
    sh scripts/quietly.sh apt-get update
    sh scripts/quietly.sh $install
else
    echo "The tests need$missing. As root, run: $install" >&2
    exit 1
fi
