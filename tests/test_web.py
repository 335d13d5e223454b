"""The scripts that need no browser, tested under Node."""

import subprocess
from pathlib import Path

import pytest

FILES = sorted((Path(__file__).parent / "node").glob("*.test.mjs"))


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.name)
def test_scripts_under_node(file: Path) -> None:
    done = subprocess.run(["node", "--no-warnings", "--test", str(file)], capture_output=True, text=True, check=False)

    assert done.returncode == 0, done.stdout + done.stderr
