"""The characters of shogi pieces as strokes on a square of 100 x 100, because many systems lack fonts for them."""

STROKES = {
    "king": "M20 18H80M24 48H76M12 86H88M50 18V86",
    "jade": "M20 18H80M24 48H76M12 86H88M50 18V86M64 60L76 74",
    "rook": "M10 14H64Q64 58 88 88L92 72M84 20L68 32M70 34L84 44M40 24L14 36M8 54H58M26 34Q26 76 8 92M46 28V94",
    "bishop": "M38 8L18 32M36 18H62L52 32M22 32V60Q22 82 10 94M22 32H78V84Q78 92 66 90M22 50H78M22 66H78M50 32V88",
    "gold": "M50 6L8 42M50 6L92 42M30 40H70M18 58H82M50 40V90M30 66L38 82M70 66L62 82M10 92H90",
    "silver": "M25 6L3 34M25 6L47 30M12 34H38M6 52H44M25 34V86M12 62L17 76M38 60L33 74M3 92L47 84"
    "M56 12H88V48H56M56 30H88M56 12V90L72 80M70 48Q78 76 96 90M90 56L74 68",
    "knight": "M4 32H44M24 6V94M24 36Q16 62 4 74M26 40L42 58M54 24H92M73 8V46M50 46H96M54 68H92M73 50V92M48 92H98",
    "lance": "M70 6Q46 14 22 16M8 32H92M50 12V56M48 34Q30 50 8 58M52 34Q72 50 92 56M30 62H70V94H30V62M30 78H70",
    "pawn": "M50 6V42M50 22H76M26 18V42M8 44H92M50 50V74M34 54L20 72M66 54L84 68M78 70Q56 92 18 96",
    "dragon": "M50 4V16M20 18H80M34 22L38 36M66 22L60 36M10 38H90M26 48H74V76H26V48M26 62H74M50 48V86Q50 94 60 94H90"
    "V82",
    "horse": "M24 8V58M24 10H82M24 26H76M24 42H76M50 10V58M24 58H84Q84 92 70 94L62 88M12 72L8 90M30 72L34 86M46 70"
    "L52 84M62 68L68 78",
    "tokin": "M30 8Q34 34 42 46M78 30Q26 48 24 70Q24 90 54 90L82 88",
    "promoted-silver": "M50 6L8 44M50 6L92 44M26 44H74M28 66H72M50 44V90M12 92H88",
    "promoted-knight": "M22 22H78M50 6V44M12 44H88M22 66H78M50 48V92M8 92H92",
    "promoted-lance": "M10 22H90M50 4V56M48 24Q34 44 8 52M52 24Q68 42 92 50M28 64H72V94H28V64",
}

PROMOTED = frozenset({"dragon", "horse", "tokin", "promoted-silver", "promoted-knight", "promoted-lance"})
"""Written in red, as on real pieces."""

TILE = "M50 4L80 18L91 94H9L20 18Z"
"""A piece that points at the enemy."""

NAMES = {
    "Osho": "king", "Gyokusho": "jade", "Hisha": "rook", "Kakugyo": "bishop", "Kinsho": "gold", "GoldGeneral": "gold",
    "Ginsho": "silver", "SilverGeneral": "silver", "Keima": "knight", "Kyosha": "lance", "Lance": "lance",
    "Fuhyo": "pawn", "Ryuo": "dragon", "DragonKing": "dragon", "Ryuma": "horse", "DragonHorse": "horse",
    "Tokin": "tokin", "Narigin": "promoted-silver", "Narikei": "promoted-knight", "Narikyo": "promoted-lance",
}  # fmt: skip

LETTERS = {
    "Osho": "K", "Hisha": "R", "Kakugyo": "B", "Kinsho": "G", "Ginsho": "S", "Keima": "N", "Kyosha": "L", "Fuhyo": "P",
    "Ryuo": "+R", "Ryuma": "+B", "Narigin": "+S", "Narikei": "+N", "Narikyo": "+L", "Tokin": "+P",
}  # fmt: skip
"""Letters of the pieces in western notation, for pictures of text."""
