"""What somebody is signed in on, in two words: enough to know one's own places again."""

from __future__ import annotations

from typing import Final

_BROWSERS: Final = (
    ("firefox/", "Firefox"),
    ("fxios/", "Firefox"),
    ("edg", "Edge"),
    ("opr/", "Opera"),
    ("samsungbrowser/", "Samsung"),
    ("yabrowser/", "Yandex"),
    ("chrome/", "Chrome"),
    ("crios/", "Chrome"),
    ("safari/", "Safari"),
)
"""The first that is found: most say that they are several."""
_SYSTEMS: Final = (
    ("iphone", "iPhone"),
    ("ipad", "iPad"),
    ("android", "Android"),
    ("windows", "Windows"),
    ("mac os", "Mac"),
    ("cros", "ChromeOS"),
    ("linux", "Linux"),
)


def device_of(agent: str) -> str:
    """What a User-Agent says, as ``"Chrome, Android"``; ``""`` where it says nothing known.

    >>> device_of("Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0")
    'Firefox, Linux'
    """
    said = agent.lower()
    found = (
        next((name for mark, name in known if mark in said), None)
        for known in (_BROWSERS, _SYSTEMS)
    )
    return ", ".join(each for each in found if each is not None)
