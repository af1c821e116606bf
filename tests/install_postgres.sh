#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A PostgreSQL for the tests of databases, by apt where that may be done. The tests start a server of their own.

if command -v initdb >/dev/null 2>&1 || ls /usr/lib/postgresql/*/bin/initdb >/dev/null 2>&1; then
    exit 0
fi
if command -v apt-get >/dev/null 2>&1 && [ "$(id -u)" = 0 ]; then
    echo "installing PostgreSQL for the tests of databases"
    export DEBIAN_FRONTEND=noninteractive
    # No cluster of the package's own: none but that of the tests is to run.
    mkdir -p /etc/postgresql-common
    [ -e /etc/postgresql-common/createcluster.conf ] ||
        echo "create_main_cluster = false" > /etc/postgresql-common/createcluster.conf
    { apt-get update -qq && apt-get install -y -qq --no-install-recommends postgresql; } >/dev/null 2>&1 && exit 0
fi
echo "no PostgreSQL: its tests will be named as not run; install it with: apt-get install postgresql" >&2
