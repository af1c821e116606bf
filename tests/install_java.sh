#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A Java for the tests of Spark, by apt where that may be done. PySpark brings all else.

if command -v java >/dev/null 2>&1 || { [ -n "$JAVA_HOME" ] && [ -x "$JAVA_HOME/bin/java" ]; }; then
    exit 0
fi
if command -v apt-get >/dev/null 2>&1 && [ "$(id -u)" = 0 ]; then
    echo "installing Java for the tests of Spark"
    export DEBIAN_FRONTEND=noninteractive
    apt-get update -qq >/dev/null 2>&1
    for package in openjdk-17-jre-headless default-jre-headless; do # newer systems have no 17, older ones no newer default
        apt-get install -y -qq --no-install-recommends "$package" >/dev/null 2>&1 && exit 0
    done
fi
echo "no Java: the tests of Spark will be named as not run; install it with: apt-get install openjdk-17-jre-headless" >&2
