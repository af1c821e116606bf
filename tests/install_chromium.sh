#!/bin/sh
# Puts a Chromium on this machine for the tests of pages: by apt where that is allowed, else by Playwright.
# Where neither works, the tests that need it are named as not run. Usage: install_chromium.sh PYTHON
set -u
for name in chromium chromium-browser google-chrome google-chrome-stable; do
    command -v "$name" > /dev/null 2>&1 && exit 0
done
become=""
[ "$(id -u)" = 0 ] || become="sudo -n"
if command -v apt-get > /dev/null 2>&1 && $become true 2> /dev/null; then
    echo "Installing Chromium for the tests of pages"
    $become apt-get update -qq
    $become env DEBIAN_FRONTEND=noninteractive \
        apt-get install -y -qq --no-install-recommends chromium fonts-dejavu-core > /dev/null && exit 0
fi
"$1" -m playwright install chromium && exit 0
echo "Chromium could not be installed; tests of pages will be named as not run." >&2
exit 0
