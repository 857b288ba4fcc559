"""Fonts for tests, the same on every machine: DejaVu, which comes with matplotlib.

It is as wide as Verdana, and wider than what most systems have. So what has room in it
has room in nearly any font.
"""

import os
from pathlib import Path
from xml.sax.saxutils import escape

import matplotlib

FOLDER = Path(matplotlib.get_data_path()) / "fonts" / "ttf"
FAMILIES = {
    "DejaVu Sans": ("sans-serif", "system-ui", "ui-sans-serif"),
    "DejaVu Serif": ("serif", "ui-serif"),
    "DejaVu Sans Mono": ("monospace", "ui-monospace"),
}
# How letters are fitted to pixels changes their widths; this is what most systems do.
HINTS = (
    "<match target='pattern'><edit name='hintstyle' mode='append'>"
    "<const>hintslight</const></edit></match>"
)
ELSE = (  # for a family that is not there
    "<match target='pattern'><edit name='family' mode='append_last'>"
    "<string>DejaVu Sans</string></edit></match>"
)
WIDE = "size-adjust: 100%;"
# As wide as Arial, and with more above and below the letters, as Noto has.
NARROW = "size-adjust: 88%; ascent-override: 122%; descent-override: 34%;"


def environment(folder):
    """Return variables with which a browser on Linux knows these fonts and no other."""
    aliases = "".join(
        f"<alias binding='same'><family>{name}</family>"
        f"<prefer><family>{family}</family></prefer></alias>"
        for family, names in FAMILIES.items()
        for name in names
    )
    config = (
        "<?xml version='1.0'?><!DOCTYPE fontconfig SYSTEM 'urn:fontconfig:fonts.dtd'>"
        f"<fontconfig><dir>{escape(str(FOLDER))}</dir>{aliases}{HINTS}{ELSE}"
        f"<cachedir>{escape(str(folder))}</cachedir></fontconfig>"
    )
    path = folder / "fonts.conf"
    path.write_text(config, encoding="utf-8")
    return os.environ | {"FONTCONFIG_FILE": str(path)}


def style(form):
    """Return rules that set a page in such a font; the page has FOLDER as "fonts"."""
    looks = {"": "400 normal", "-Bold": "700 normal", "-Oblique": "400 italic"}
    faces = "".join(
        f"@font-face {{ font-family: {family}; src: url(fonts/{file}{suffix}.ttf); "
        f"font-weight: {look.split()[0]}; font-style: {look.split()[1]}; {form} }}\n"
        for family, file in (("Text", "DejaVuSans"), ("Code", "DejaVuSansMono"))
        for suffix, look in looks.items()
    )
    text = "body { font-family: Text !important; }"
    return f"{faces}{text} .attn-code, code {{ font-family: Code !important; }}"
