"""Files: the text of a file of the project, read inside the project only, and within bounds.

A mistake is a `Fault`: a code and facts at a place; `problems` turns it into a French sentence.
"""

import errno
import re
import stat
from pathlib import Path
from typing import Any, NamedTuple

from generator import syntax

MAX_BYTES = 1024 * 1024
# Everything a keyboard does not type: controls, surrogates, direction marks, a byte order mark inside the text.
CONTROL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff\ud800-\udfff]")


class Fault(NamedTuple):
    """A mistake at a place of a file: *line* and *column* count from 1, *facts* fill the sentence of *code*."""

    line: int
    column: int
    code: str
    facts: dict[str, Any]


def read_text(path: Path, root: Path) -> tuple[str, tuple[Fault, ...]]:
    """Read the UTF-8 file *path*, which must lie in *root* without any symbolic link on the way."""
    for step in (path, *path.parents):
        if step == root:
            break
        if step.is_symlink():
            return "", (Fault(1, 1, "symlink", {"file": path.name}),)
    else:
        return "", (Fault(1, 1, "outside", {"file": path.name}),)
    if ".." in path.relative_to(root).parts:
        return "", (Fault(1, 1, "outside", {"file": path.name}),)
    try:
        # Asked before opening: a pipe left in the folder would hold the reader for ever.
        if not stat.S_ISREG(path.lstat().st_mode):
            return "", (Fault(1, 1, "not-a-file", {"file": path.name}),)
        with path.open("rb") as file:
            data = file.read(MAX_BYTES + 1)
    except OSError as error:
        return "", (unreadable(path, error),)
    if len(data) > MAX_BYTES:
        return "", (Fault(1, 1, "too-big", {"size": MAX_BYTES // 1024}),)
    try:
        text = data.decode("utf-8-sig").replace("\r\n", "\n").replace("\r", "\n")
    except UnicodeDecodeError as error:
        before = data[: error.start].decode("utf-8", "replace")
        return "", (Fault(before.count("\n") + 1, len(before) - before.rfind("\n"), "not-utf8", {}),)
    found = CONTROL.search(text)
    if found:
        line, column = syntax.place(text, found.start())
        return text, (Fault(line, column, "control-character", {"character": f"U+{ord(found[0]):04X}"}),)
    return text, ()


def listed(folder: Path) -> tuple[list[Path], tuple[Fault, ...]]:
    """List what *folder* holds, in order: nothing when there is no such folder; nothing, and why, when it cannot be read."""
    try:
        return sorted(folder.iterdir()), ()
    except FileNotFoundError:
        return [], ()
    except OSError as error:
        return [], (unreadable(folder, error),)


def unreadable(path: Path, error: OSError) -> Fault:
    """Tell that the system does not let *path* be read; the reason is the name the system gives it."""
    return Fault(1, 1, "unreadable", {"file": path.name, "reason": errno.errorcode.get(error.errno or 0, "")})
