#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Build the wheel and the source archive into dist/ and try them as strangers have them: in an environment of its own that
# nobody may write to, as a user without a home, with no kernel compiled; then ask a type checker from outside.
# Usage: try_distribution.sh PYTHON (one that has mypy)
set -eu
python=$(command -v "$1")
place=$(mktemp -d)
trap 'chmod -R u+w "$place"; rm -rf "$place"' EXIT
chmod 755 "$place"

rm -rf dist
"$python" -m venv "$place/tools"
"$place/tools/bin/python" -m pip install --quiet --disable-pip-version-check build
"$place/tools/bin/python" -m build --quiet --outdir dist .  # the wheel is made from the source archive

"$python" -m venv "$place/env"
"$place/env/bin/python" -m pip install --quiet --disable-pip-version-check "$(echo "$PWD"/dist/*.whl)[app]"
chmod -R a-w "$place/env"
mkdir -m 777 "$place/work"

as_stranger() {
    if [ "$(id -u)" = 0 ]; then
        set -- setpriv --reuid=65534 --regid=65534 --clear-groups "$@"
    fi
    (cd "$place/work" && env -i PATH=/usr/bin:/bin HOME=/nonexistent TMPDIR="$place/work" "$@")
}
as_stranger "$place/env/bin/shoal" demo -o demo
as_stranger "$place/env/bin/shoal" check demo/release
as_stranger "$place/env/bin/python" -c '
import shoal
release = shoal.anonymize(shoal.synthetic_patients(300).select("age", "sex"), k=5, quasi_identifiers=["age", "sex"])
assert release.verdict.holds'

cat > "$place/work/app.py" <<'APP'
import http.client, re, subprocess, sys, time

app = subprocess.Popen([sys.argv[1], "app", "--example", "--no-browser"], stdout=-1, stdin=subprocess.DEVNULL, text=True)
host, token = re.search(r"http://(\S+)/open#(\S+)", app.stdout.readline()).groups()

def ask(method, path, body=None, **headers):
    line = http.client.HTTPConnection(host)
    line.request(method, path, body, headers)
    return line.getresponse()

let_in = ask("POST", "/open", f"token={token}", Origin=f"http://{host}")
page, cookie = let_in.getheader("location") + "columns", let_in.getheader("set-cookie").partition(";")[0]
for _ in range(600):
    if ask("GET", page, Cookie=cookie).status == 200:
        break
    time.sleep(0.1)
assert (ask("GET", page, Cookie=cookie).status, ask("GET", page).status) == (200, 401)
app.terminate()
assert app.wait(20) == 0
APP
mkdir "$place/home"  # by oneself: the app starts processes, and a Python of one's own may be closed to strangers
env -i PATH=/usr/bin:/bin HOME="$place/home" "$place/env/bin/python" "$place/work/app.py" "$place/env/bin/shoal"

cat > "$place/work/typed.py" <<'TYPED'
import shoal

release = shoal.anonymize("people.csv", k=5, quasi_identifiers=["age"])
holds: bool = release.verdict.holds
wrong: int = release.verdict  # type: ignore[assignment]
TYPED
"$python" -m mypy --strict --python-executable "$place/env/bin/python" --cache-dir "$place/cache" "$place/work/typed.py"
ls -l dist
