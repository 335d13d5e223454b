"""What tests share: the repository, and a small project of one invented game that a test may spoil."""

import shutil
from pathlib import Path

import pytest
from hypothesis import settings

# A slow moment of the machine is no failure of a law.
settings.register_profile("unhurried", deadline=None)
settings.load_profile("unhurried")

ROOT = Path(__file__).parent.parent
FIXTURES = Path(__file__).parent / "fixtures"


def pytest_collection_modifyitems(items):
    """Try a test of the browser once more before it fails: time is the machine's there. Nothing else is tried twice.

    These come first, so that what is quick fills the time that one of two processes has left.
    """
    for item in items:
        if item.get_closest_marker("browser"):
            item.add_marker(pytest.mark.flaky(reruns=1))
    items.sort(key=lambda item: item.get_closest_marker("browser") is None)


class SmallProject:
    """A copy of fixtures/project: the inn and its three tiers, without a problem until a test makes one."""

    def __init__(self, root):
        self.root = root

    def write(self, path, text):
        """Write a file of the project, given by its path from the root."""
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")

    def edit(self, path, old, new):
        """Replace *old*, which the file holds once, by *new*."""
        text = (self.root / path).read_text(encoding="utf-8")
        assert text.count(old) == 1, f"{old!r} is {text.count(old)} times in {path}"
        self.write(path, text.replace(old, new))

    def open(self):
        from generator import compendium

        return compendium.open_project(self.root)

    def problems(self):
        """Return all its problems, as `check` prints them."""
        from generator import checks, texts

        return [str(problem) for problem in checks.run(self.open(), texts.read())]


@pytest.fixture
def root():
    return ROOT


@pytest.fixture
def small(tmp_path):
    shutil.copytree(FIXTURES / "project", tmp_path / "project")
    return SmallProject(tmp_path / "project")


@pytest.fixture(scope="session")
def project():
    """The real data, read once."""
    from generator import compendium

    return compendium.open_project(ROOT)


@pytest.fixture(scope="session")
def rulebook(project):
    """The rules of the real data."""
    from calculators.rulebook import Rulebook
    from generator import compendium, texts

    return Rulebook(compendium.rules(project, texts.read()))


@pytest.fixture(scope="session")
def executable():
    """The path of a Chromium."""
    from tests.browser import chromium

    path = chromium.find()
    if path is None:
        pytest.fail(chromium.ADVICE)
    return path


@pytest.fixture(scope="session")
def browser(executable):
    """One real Chromium for all tests of a process: its driver cannot be started twice."""
    from playwright.sync_api import sync_playwright

    from tests.browser import chromium

    with sync_playwright() as playwright:
        launched = playwright.chromium.launch(executable_path=executable, args=chromium.ARGUMENTS)
        yield launched
        launched.close()
