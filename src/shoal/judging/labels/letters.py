# SPDX-License-Identifier: Apache-2.0
"""What a reader sees of a label: letters of any alphabet by their look, and nothing of what is not to be seen.

Compared are texts in Unicode's compatibility form, without case, surplus blanks and signs that leave no mark on the
paper: zero-width characters, variation selectors, fillers, tags. Letters of other alphabets are taken for the Latin
ones they look like. A capital may look like another letter than its small form does (Greek Ν and ν), so a text has two
looks, and two texts that share one are taken for each other.
"""

from __future__ import annotations

import unicodedata
from functools import cache

SMALL = {
    "a": "αаɑᴀ⍺Ꭺᗅꓮ𖽀𐊠", "b": "вʙьᏏᑲᖯᏴᗷꓐ𐊂𐊡𐌁", "c": "сⲥᴄᏟꓚ𐊢𐌂", "d": "ԁᴅᏧᑯꓒᎠᗞᗪꓓ", "e": "еᴇ℮ҽꬲᎬꓰ𐊆ⴹ⋿",
    "f": "ꜰꞙꬵքẝᖴꓝ𐊇𐊥", "g": "ցɡɢᶃƍᏀᏳꓖ", "h": "һнհʜᏂᎻᕼꓧ𐋏", "i": "ιіıɩɪꙇ⍳Ꭵꓲ", "j": "јյȷᴊϳᎫᒍꓙ",
    "k": "κкᴋᏦᛕꓗ", "l": "ӏʟǀ∣Ꮮᒪꓡ𖼖", "m": "мᴍᎷᗰᛖꓟ𐊰𐌑", "n": "пոɴռꓠ", "o": "οоօⲟᴏჿꓳ𐊒𐊫ⵔ〇",
    "p": "ρрⲣᴘ⍴Ꮲᑭꓑ𐊕", "q": "ԛզգⵕ", "r": "гʀⲅꭇꭈᎡᏒᖇꓣ𖼵", "s": "ѕꜱƽᏕᏚꓢ𐊖𖼺", "t": "τтᴛᎢꓔ𐊗𐊱𐌕⊤⟙",
    "u": "υսᴜʋꭎꭒሀᑌꓴ∪⋃", "v": "νѵᴠ∨⋁Ꮩᐯꓦⴸ𖼈", "w": "ԝᴡѡաɯᎳᏔꓪ", "x": "χх×⤫ᕁᕽ᙭ᚷꓫ𐊐𐊴𐌗𐌢ⵝ╳",
    "y": "γуүⲩʏყɣꭚᎩᎽꓬ𐊲𖽃", "z": "ᴢᏃꓜ𐋵",
}  # fmt: skip
"""Small letters, and what looks like each: small letters of other alphabets, and letters of those without case."""
CAPITALS = {
    "a": "ΑАⲀ", "b": "ΒВⲂ", "c": "ϹСⲤ𐐕𐔜", "e": "ΕЕⲈ", "f": "Ϝ𐔥", "g": "Ԍ", "h": "ΗНҺⲎ", "i": "ΙІӀⲒ",
    "j": "ͿЈ", "k": "ΚКⲔ𐔘", "l": "ԼⳐ𐐛𐔦", "m": "ΜϺМⲘ", "n": "ΝⲚ𐔓", "o": "ΟОՕⲞ𐐄", "p": "ΡРⲢ",
    "q": "Ԛ", "r": "Ʀ𐒴", "s": "ЅՏ𐐠", "t": "ΤТⲦ", "u": "Ս𐓎", "v": "Ѵ𐔝", "w": "Ԝ", "x": "ΧХⲬ𐔧",
    "y": "ΥУҮⲨ", "z": "ΖⲌ", "3": "З",
}  # fmt: skip
"""The same for capitals."""
SIGNS = {
    "-": "‐‑‒–—―−⁃ー", "'": "‘’‚‛ʼʹ′´ꞌ", '"': "“”„‟″", "/": "⁄∕╱", ".": "٫۔。", ",": "٬،、", ":": "∶꞉",
    "*": "∗⁎٭", " ": "\u2800",
}  # fmt: skip
FILLERS = "\u034f\u115f\u1160\u17b4\u17b5\u3164\uffa0"
SELECTORS = [(0x180B, 0x180F), (0xFE00, 0xFE0F), (0xE0000, 0xE0FFF)]


@cache
def _forms(capitals: bool) -> dict[int, str | None]:
    """What is put in the place of a sign."""
    drawn = {**SIGNS, **(CAPITALS if capitals else {})}
    forms: dict[int, str | None] = {ord(sign): like for like, signs in drawn.items() for sign in signs}
    forms |= {ord(sign): None for sign in FILLERS}
    return forms | {place: None for first, last in SELECTORS for place in range(first, last + 1)}


@cache
def _small_forms() -> dict[int, str]:
    return {ord(sign): like for like, signs in SMALL.items() for sign in signs}


def skeleton(label: str, *, capitals: bool = False) -> str:
    r"""What a reader sees of a label; with ``capitals`` by the look of its capitals.

    >>> skeleton("Gov\u200b ") == skeleton("GOV"), skeleton("ΝΑ", capitals=True)
    (True, 'na')
    """
    if label.isascii() and label.isprintable():
        return " ".join(label.casefold().split())
    forms = _forms(capitals)
    apart = unicodedata.normalize("NFKD", label.translate(forms)).translate(forms)
    folded = unicodedata.normalize("NFKD", apart.casefold()).translate(_small_forms())
    seen = [_seen(sign) for sign in folded]
    whole = unicodedata.normalize("NFKC", "".join(seen)).replace("i\u0307", "i")
    return " ".join(whole.split())


def _seen(sign: str) -> str:
    """A sign as it is seen: digits of any script as ours, blanks as blanks, nothing of what has no look."""
    if sign.isascii() and sign.isprintable():
        return sign
    if sign.isspace():
        return " "
    if sign.isdecimal():
        return str(unicodedata.decimal(sign))
    return "" if unicodedata.category(sign).startswith("C") else sign
