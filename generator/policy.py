"""The content security policy of the built pages: own files only, and the theme's inline scripts by their hash."""

import base64
import hashlib
import re
from collections.abc import Iterable

_INLINE = re.compile(r"<script(?P<attributes>(?:\s[^>]*)?)>(?P<code>.*?)</script>", re.DOTALL)
_RUNS = re.compile(r"""\btype\s*=\s*["']?(?!text/javascript|module)[\w/+.-]+""")
_HEAD = re.compile(r"<head>|<meta charset=[^>]*>")

# Style attributes are the theme's and the charts'; the drawings in its style sheets are data addresses.
_DIRECTIVES = (
    "default-src 'none'",
    "script-src 'self' 'wasm-unsafe-eval' {hashes}",
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "worker-src 'self'",
    "manifest-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
)


def inline_scripts(html: str) -> list[str]:
    """List the code of the scripts a browser would run from inside *html*; data blocks are not code.

    >>> inline_scripts('<script>go()</script><script type="application/json">{}</script><script src="a.js"></script>')
    ['go()']
    """
    return [match["code"] for match in _INLINE.finditer(html) if "src=" not in match["attributes"] and not _RUNS.search(match["attributes"])]


def policy(scripts: Iterable[str]) -> str:
    """Write the policy that lets these inline scripts run, and no other."""
    digests = (hashlib.sha256(code.encode()).digest() for code in scripts)
    hashes = sorted({f"'sha256-{base64.b64encode(digest).decode()}'" for digest in digests})
    return "; ".join(_DIRECTIVES).format(hashes=" ".join(hashes)).replace("  ", " ").replace(" ;", ";")


def guarded(html: str, rule: str) -> str:
    """Put the policy *rule* at the head of a page, before anything it should govern."""
    meta = f'<meta http-equiv="Content-Security-Policy" content="{rule}">'
    places = list(_HEAD.finditer(html, 0, 2000))
    if not places:
        return html
    end = places[-1].end()
    return html[:end] + meta + html[end:]
