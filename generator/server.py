"""The local server: the built site at an address, built again when a file of the project changes."""

import sys
import threading
from collections.abc import Callable
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, ClassVar

from watchdog.events import FileSystemEvent, FileSystemEventHandler
from watchdog.observers import Observer

HOST = "127.0.0.1"
WATCHED = ("data", "site_src", "mkdocs.yml")
# An editor writes a file in several moves; they make one build.
SETTLE_SECONDS = 0.3


class _Handler(SimpleHTTPRequestHandler):
    """Serves files with the types a browser asks for: wasm must not be guessed, or it is not streamed."""

    protocol_version = "HTTP/1.1"
    extensions_map: ClassVar[dict[str, str]] = {
        **SimpleHTTPRequestHandler.extensions_map,
        ".wasm": "application/wasm",
        ".mjs": "text/javascript",
        ".js": "text/javascript",
        ".webmanifest": "application/manifest+json",
    }

    def log_message(self, format: str, *arguments: Any) -> None:
        """Say nothing: the terminal is for what the author must read."""

    def end_headers(self) -> None:
        self.send_header("Cache-Control", self.server.caching)
        super().end_headers()

    def send_error(self, code: int, message: str | None = None, explain: str | None = None) -> None:
        page = Path(self.directory) / "404.html"
        if code != 404 or not page.is_file():
            super().send_error(code, message, explain)
            return
        body = page.read_bytes()
        self.send_response(code)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)


class Server(ThreadingHTTPServer):
    """A server of the folder *site*; its *address* is known once it listens (port 0 takes a free one)."""

    daemon_threads = True
    caching: ClassVar[str] = "no-cache"  # what is served may change at any moment

    def __init__(self, site: Path, port: int) -> None:
        super().__init__((HOST, port), partial(_Handler, directory=str(site)))

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Let a browser that went away go in silence."""
        if not isinstance(sys.exception(), ConnectionError):
            super().handle_error(request, client_address)

    @property
    def address(self) -> str:
        return f"http://{HOST}:{self.server_address[1]}/"


class _Changes(FileSystemEventHandler):
    """Notes that something changed; opening and reading are no changes."""

    def __init__(self) -> None:
        self.happened = threading.Event()

    def on_any_event(self, event: FileSystemEvent) -> None:
        if event.event_type in ("created", "modified", "moved", "deleted") and not event.is_directory:
            self.happened.set()


def watch(root: Path, rebuild: Callable[[], None], stop: threading.Event) -> None:
    """Call *rebuild* after each burst of changes in the project, until *stop* is set."""
    changes, observer = _Changes(), Observer()
    for name in WATCHED:
        if (root / name).exists():
            observer.schedule(changes, str(root / name), recursive=True)
    observer.start()
    try:
        while not stop.is_set():
            if changes.happened.wait(SETTLE_SECONDS):
                stop.wait(SETTLE_SECONDS)
                changes.happened.clear()
                rebuild()
    finally:
        observer.stop()
        observer.join()
