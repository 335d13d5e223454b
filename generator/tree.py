"""A folder kept equal to what it should hold: only what changed is written, what should not be there is removed."""

import filecmp
import os
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

type Content = bytes | Path


class Changes(NamedTuple):
    """How many files were written and removed."""

    written: int
    removed: int


def write(folder: Path, files: Mapping[str, Content]) -> Changes:
    """Make *folder* hold exactly *files*: {path with slashes: its bytes, or the file to copy}.

    A file that is already right keeps its date, so that a builder watching dates sees only what changed.
    """
    folder.mkdir(parents=True, exist_ok=True)
    written = 0
    removed = _remove_others(folder, files)
    for path, content in files.items():
        target = folder / path
        if not _same(target, content):
            target.parent.mkdir(parents=True, exist_ok=True)
            _replace(target, content)
            written += 1
    return Changes(written, removed)


def read(folder: Path, skip: tuple[str, ...] = ()) -> dict[str, Path]:
    """List the files of *folder* by path, without hidden ones, links, or those whose path starts with one of *skip*."""
    found = {}
    for path in sorted(folder.rglob("*")):
        name = path.relative_to(folder).as_posix()
        hidden = any(part.startswith(".") for part in name.split("/"))
        if path.is_file() and not path.is_symlink() and not hidden and not name.startswith(skip):
            found[name] = path
    return found


def _remove_others(folder: Path, files: Mapping[str, Content]) -> int:
    removed = 0
    for path in sorted(folder.rglob("*"), reverse=True):
        name = path.relative_to(folder).as_posix()
        if path.is_symlink() or (path.is_file() and name not in files):
            path.unlink()
            removed += 1
        elif path.is_dir() and (name in files or not any(path.iterdir())):
            shutil.rmtree(path)
    return removed


def _same(target: Path, content: Content) -> bool:
    if not target.is_file():
        return False
    if isinstance(content, Path):
        return filecmp.cmp(target, content, shallow=False)
    return target.stat().st_size == len(content) and target.read_bytes() == content


def _replace(target: Path, content: Content) -> None:
    """Write beside, then rename: a reader never meets half a file."""
    beside = target.with_name(f".{target.name}.new")
    if isinstance(content, Path):
        shutil.copyfile(content, beside)
    else:
        beside.write_bytes(content)
    os.replace(beside, target)
