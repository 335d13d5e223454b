"""Tests that only use the calculators: the browser has visited the site before, so that they start at once."""

import pytest
from playwright.sync_api import BrowserContext

from ..server import Server


@pytest.fixture
def server(known_server: Server) -> Server:
    return known_server


@pytest.fixture
def context(regular: BrowserContext) -> BrowserContext:
    return regular
