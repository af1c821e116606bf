# SPDX-License-Identifier: Apache-2.0
"""Letters that look like others, and signs that nobody sees: how a text looks, whatever signs it is made of.

The engine's side; the judge has signs of its own (:mod:`shoal.judging.labels.letters`), so that one gap is not two.
"""

from __future__ import annotations

import re
import unicodedata

_CAPITALS = (
    ("ΑΒϹΕϜΗΙͿΚΜϺΝΟΡΤΧΥΖ", "ABCEFHIJKMMNOPTXYZ"),  # Greek
    ("АВСЕԌНҺІӀЈКМОРԚЅТѴԜХУҮЗ", "ABCEGHHIIJKMOPQSTVWXYY3"),  # Cyrillic
    ("ⲀⲂⲤⲈⲎⲒⲔⳐⲘⲚⲞⲢⲦⲬⲨⲌ", "ABCEHIKLMNOPTXYZ"),  # Coptic
    ("𐐕𐐛𐐄𐐠", "CLOS"),  # Deseret
    ("𐔜𐔥𐔘𐔦𐔓𐔝𐔧", "CFKLNVX"),  # Elbasan
    ("ԼՕՏՍ", "LOSU"),  # Armenian
    ("Ʀ𐒴𐓎", "RRU"),  # others
)
_SMALL = (
    ("αιϳκορτυνχγ", "aijkoptuvxy"),  # Greek
    ("авьсԁеҽһніꙇјкӏмпорԛгѕтѵԝѡхуү", "abbcdeehhiijklmnopqrstvwwxyy"),  # Cyrillic
    ("ɑᴀʙᴄᴅᴇꬲꜰꞙꬵẝɡɢᶃƍʜıɩɪȷᴊᴋʟǀᴍɴᴏᴘʀꭇꭈꜱƽᴛᴜʋꭎꭒᴠᴡɯʏɣꭚᴢ", "aabcdeeffffgggghiiijjkllmnoprrrsstuuuuvwwyyyz"),  # Latin
    ("⍺⍳⍴", "aip"),  # Apl
    ("ᎪᏏᏴᏟᏧᎠᎬᏀᏳᏂᎻᎥᎫᏦᏞᎷᏢᎡᏒᏕᏚᎢᏙᎳᏔᎩᎽᏃ", "abbcddegghhijklmprrsstvwwyyz"),  # Cherokee
    ("ᗅᑲᖯᗷᑯᗞᗪᖴᕼᒍᒪᗰᑭᖇᑌᐯᕁᕽ᙭", "abbbdddfhjlmpruvxxx"),  # Canadian
    ("ꓮꓐꓚꓒꓓꓰꓝꓖꓧꓲꓙꓗꓡꓟꓠꓳꓑꓣꓢꓔꓴꓦꓪꓫꓬꓜ", "abcddefghijklmnoprstuvwxyz"),  # Lisu
    ("𖽀𖼖𖼵𖼺𖼈𖽃", "alrsvy"),  # Miao
    ("𐊠𐊡𐊢𐊥𐋏𐊰𐊫𐊱𐊴𐊲", "abcfhmotxy"),  # Carian
    ("𐊂𐊆𐊇𐊒𐊕𐊖𐊗𐊐", "befopstx"),  # Lycian
    ("𐌁𐌂𐌑𐌕𐌗𐌢", "bcmtxx"),  # Old
    ("ⲥⲟⲣⲅⲩ𐋵", "copryz"),  # Coptic
    ("ⴹⵔⵕⴸⵝ", "eoqvx"),  # Tifinagh
    ("քցհյոռօզգսա", "fghjnnoqquw"),  # Armenian
    ("ᛕᛖᚷ", "kmx"),  # Runic
    ("℮⋿∣ჿყ〇⊤⟙ሀ∪⋃⋁∨×⤫╳", "eeloyottuuuvvxxx"),  # others
)
_SIGNS = (
    ("‐‑‒–—―−⁃ー﹣－", "-" * 11),
    ("‘’‚‛ʼʹ′´ꞌ", "'" * 9),
    ("“”„‟″", '"' * 5),
    ("⁄∕╱", "///"),
    ("٫۔。", "..."),
    ("٬،、", ",,,"),
    ("∶꞉", "::"),
    ("∗⁎٭", "***"),
    ("\u2800", " "),  # a Braille cell without dots
)
_UNSEEN = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164"
    "\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff"
    "\x00-\x08\x0e-\x1b\x7f-\x84\x86-\x9f]"
)


def _table(pairs: tuple[tuple[str, str], ...]) -> dict[int, str]:
    return {ord(sign): plain for signs, like in pairs for sign, plain in zip(signs, like, strict=True)}


_LARGE = _table(_CAPITALS)
_LITTLE = _table(_SMALL)
_PLAIN = _table(_SIGNS)


def looks(text: str) -> tuple[str, str]:
    r"""How a text looks, its letters taken for small ones, and for capitals; one look mostly.

    >>> looks("Flu\u200b "), looks("ΝΟΣΟΣ") == looks("νοσοσ")
    (('flu', 'flu'), False)
    >>> looks("ΝΟΣΟΣ")[0] == looks("νοσοσ")[0], looks("ΝΟ")[1] == looks("NO")[1]
    (True, True)
    """
    if text.isascii():
        plain = " ".join(_UNSEEN.sub("", text).casefold().split())
        return plain, plain
    seen = "".join(sign for sign in _UNSEEN.sub("", text) if sign.isprintable() or sign.isspace())
    return _settled(_apart(seen)), _settled(_apart(seen.translate(_LARGE)).translate(_LARGE))


def _apart(seen: str) -> str:
    """Letters and what stands above them one by one, signs and digits as ours."""
    parts = unicodedata.normalize("NFKD", seen.translate(_PLAIN)).translate(_PLAIN)
    return re.sub(r"\d", lambda digit: str(int(digit[0])), parts)


def _settled(parts: str) -> str:
    """Small letters of one alphabet, composed again, with single blanks."""
    small = _UNSEEN.sub("", unicodedata.normalize("NFKD", parts.casefold())).replace("i\u0307", "i").translate(_LITTLE)
    return " ".join(unicodedata.normalize("NFKC", small).split())
