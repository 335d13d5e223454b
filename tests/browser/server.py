"""A static server on this machine that can fail in chosen ways, under a sub-path like a project site's."""

import sys
import threading
from collections.abc import Callable
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import unquote, urlsplit

PREFIX = "/docs/"

POLICY = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'; worker-src 'self'; style-src 'self'"


class Server:
    """Serves *folder*. `faults` maps the end of a path to "missing", "hang", or a function of the file's bytes."""

    def __init__(self, folder: Path, policy: str = POLICY) -> None:
        self.folder, self.policy = folder, policy
        self.faults: dict[str, str | Callable[[bytes], bytes]] = {}
        self.asked: list[str] = []
        self._released = threading.Event()
        self._server = _Listener(("127.0.0.1", 0), partial(_Handler, self))
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        self.origin = f"http://127.0.0.1:{self._server.server_port}"
        self.url = self.origin + PREFIX

    def fault(self, path: str) -> str | Callable[[bytes], bytes] | None:
        return next((fault for end, fault in self.faults.items() if path.endswith(end)), None)

    def hang(self) -> None:
        self._released.wait(60)

    def stop(self) -> None:
        self._released.set()
        self._server.shutdown()
        self._server.server_close()


class _Listener(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, request, client_address) -> None:
        """Let a browser that went away go in silence."""
        if not isinstance(sys.exception(), ConnectionError):
            super().handle_error(request, client_address)


class _Handler(SimpleHTTPRequestHandler):
    extensions_map = SimpleHTTPRequestHandler.extensions_map | {".mjs": "text/javascript", ".wasm": "application/wasm"}

    def __init__(self, server: Server, *arguments) -> None:
        self.site = server
        super().__init__(*arguments)

    def do_GET(self) -> None:
        path = unquote(urlsplit(self.path).path)
        self.site.asked.append(path)
        file = self.site.folder / path.removeprefix(PREFIX)
        if file.is_dir():
            file /= "index.html"
        fault = self.site.fault(path)
        if fault == "hang":
            self.site.hang()
            return
        if fault == "missing" or not path.startswith(PREFIX) or not file.is_file():
            self.send_error(404)
            return
        content = file.read_bytes()
        if callable(fault):
            content = fault(content)
        self.send_response(200)
        self.send_header("Content-Type", self.guess_type(str(file)))
        self.send_header("Content-Length", str(len(content)))
        self.send_header("Content-Security-Policy", self.site.policy)
        self.send_header("Cache-Control", "no-cache")
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, format: str, *arguments: object) -> None:
        """Say nothing."""
