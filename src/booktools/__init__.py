"""What the book's maintainers run, in four rooms: content, gate, setup and site.

``python -m booktools.ROOM.NAME`` runs one part; `make help` lists what is run by name.
Imported before anything is installed: standard library alone, and old Pythons too.
"""

from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
