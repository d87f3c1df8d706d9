"""Text of others as it is shown on a terminal: what isn't seen, or reorders what is beside it, is an escape."""
import unicodedata

# Control and format characters, halves of surrogate pairs, separators of lines and paragraphs.
UNSEEN = ("Cc", "Cf", "Cs", "Zl", "Zp")
# Fillers without width, which have other categories.
FILLERS = {0x034F, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x2065, 0x3164, 0xFFA0, *range(0xFFF0, 0xFFF9), *range(0xE0000, 0xE0100),
           *range(0xE01F0, 0xE1000)}

def visible_line(text):
    """The text on one line, with what isn't seen as escapes such as \\u{202e}."""
    return "".join(f"\\u{{{ord(c):x}}}" if unicodedata.category(c) in UNSEEN or ord(c) in FILLERS else c for c in text)
