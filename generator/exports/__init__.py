"""The published formats: one file each, all written from the same compendium."""

from pathlib import Path

from generator.exports import json_api
from generator.records import Project

EXPORTS = (json_api,)


def write(project: Project, folder: Path) -> int:
    """Write every export of *project* under *folder*, replacing what an earlier one left; return how many files."""
    written = 0
    for export in EXPORTS:
        wanted = {folder / path: text for path, text in export.files(project).items()}
        for path, text in wanted.items():
            path.parent.mkdir(parents=True, exist_ok=True)
            if not path.is_file() or path.read_text(encoding="utf-8") != text:
                path.write_text(text, encoding="utf-8")
        for old in sorted((folder / export.ROOT).rglob("*.json")):
            if old not in wanted:
                old.unlink()
        written += len(wanted)
    return written
