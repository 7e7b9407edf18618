"""Hostile zips, each named after its trick, into a folder: make.py FOLDER. Those that only look so begin with `harmless`.
Records by PKWARE's APPNOTE 4.3."""
import os, struct, sys, unicodedata, zlib

FILE, LINK, FOLDER = 0o100644, 0o120777, 0o040755


class Entry:
    """`local`, `central`: what one of its two records says in place of the truth."""

    def __init__(self, name, data=b"content\n", mode=FILE, method=0, local={}, central={}, packed=None, descriptor=b"",
                 gap=b""):
        self.name = name if isinstance(name, bytes) else name.encode()
        deflate = zlib.compressobj(9, zlib.DEFLATED, -15)
        self.packed = packed if packed is not None else deflate.compress(data) + deflate.flush() if method == 8 else data
        self.fields = dict(name=self.name, method=method, flags=0 if self.name.isascii() else 0x800, mode=mode,
                           crc=zlib.crc32(data), packed=len(self.packed), size=len(data), extra=b"", offset=None)
        self.local, self.central, self.descriptor, self.gap = local, central, descriptor, gap

    def header(self):
        f = {**self.fields, **self.local}
        return struct.pack("<4s5H3I2H", b"PK\3\4", 20, f["flags"], f["method"], 0, 33, f["crc"], f["packed"], f["size"],
                           len(f["name"]), len(f["extra"])) + f["name"] + f["extra"]

    def record(self, offset):
        f = {**self.fields, **self.central}
        if f["offset"] is not None:
            offset = f["offset"]
        return struct.pack("<4s6H3I5H2I", b"PK\1\2", 0x314, 20, f["flags"], f["method"], 0, 33, f["crc"], f["packed"],
                           f["size"], len(f["name"]), len(f["extra"]), 0, 0, 0, f["mode"] << 16, offset) + f["name"] + f["extra"]


def archive(*entries, prefix=b"", suffix=b"", comment=b"", count=None, size=None, offset=None, disk=0, before=b""):
    body, records = prefix, b""
    for entry in entries:
        body += entry.gap
        place = len(body)
        body += entry.header() + entry.packed + entry.descriptor
        records += entry.record(place)
    start = len(body)
    count = len(entries) if count is None else count
    end = struct.pack("<4s4H2IH", b"PK\5\6", disk, disk, count, count, len(records) if size is None else size,
                      start if offset is None else offset, len(comment)) + comment
    return body + records + before + end + suffix


def zip64(count, size, offset, at):
    """The record, and the locator that says where it is."""
    return (struct.pack("<4sQ2H2I4Q", b"PK\6\6", 44, 45, 45, 0, 0, count, count, size, offset)
            + struct.pack("<4sIQI", b"PK\6\7", 0, at, 1))


good = Entry("good.txt")
bomb = b"\0" * (8 << 20)
long = "d/" * 3000 + "f"
first, second = Entry("first.txt", b"1" * 60), Entry("second.txt", b"2" * 60)
inner = archive(Entry("inside.txt", b"hidden"))
tricks = {
    # Names
    "absolute-name": archive(good, Entry("/tmp/absolute.txt")),
    "backslash-in-name": archive(good, Entry("a\\b.txt")),
    "backslash-traversal": archive(good, Entry("..\\..\\escaped.txt")),
    "control-character-in-name": archive(good, Entry("a\x1b[2Jb.txt")),
    "deep-name": archive(good, Entry(long)),
    "dot-part": archive(good, Entry("a/./b.txt")),
    "double-slash": archive(good, Entry("a//b.txt")),
    "drive-letter": archive(good, Entry("C:/escaped.txt")),
    "empty-name": archive(good, Entry("")),
    "inner-traversal": archive(good, Entry("a/../../escaped.txt")),
    "long-name": archive(good, Entry("n" * 5000)),
    "newline-in-name": archive(good, Entry("a\nb.txt")),
    "nul-in-name": archive(good, Entry(b"a.txt\0.exe")),
    "traversal": archive(good, Entry("../escaped.txt")),
    "not-utf-8": archive(good, Entry(b"\xff\xfe.txt", central=dict(flags=0x800), local=dict(flags=0x800))),
    # Two for one
    "case-clash": archive(Entry("Readme.txt"), Entry("README.txt")),
    "composition-clash": archive(Entry("é.txt"), Entry(unicodedata.normalize("NFD", "é.txt"))),
    "duplicate-name": archive(Entry("a.txt", b"one"), Entry("a.txt", b"two")),
    "file-and-folder": archive(Entry("a"), Entry("a/b.txt")),
    "folder-case-clash": archive(Entry("Lib/a.txt"), Entry("lib/b.txt")),
    "folder-with-content": archive(good, Entry("folder/", b"content")),
    "unicode-path-field": archive(good, Entry("a.txt", central=dict(
        extra=struct.pack("<2HBI", 0x7075, 14, 1, zlib.crc32(b"a.txt")) + b"other.exe"))),
    # Links
    "link-absolute": archive(good, Entry("link", b"/etc/passwd", LINK)),
    "link-chain-out": archive(Entry("a", b"b", LINK), Entry("b", b"../..", LINK), Entry("a/escaped.txt")),
    "link-deflated-bomb": archive(good, Entry("link", bomb, LINK, 8)),
    "link-empty": archive(good, Entry("link", b"", LINK)),
    "link-out": archive(good, Entry("link", b"../../outside", LINK)),
    "link-then-through": archive(Entry("link", b"/tmp", LINK), Entry("link/escaped.txt")),
    "link-with-nul": archive(good, Entry("link", b"good.txt\0/../../x", LINK)),
    # Records that contradict each other
    "content-beyond-the-end": archive(good, Entry("a.txt", central=dict(packed=1 << 20, size=1 << 20))),
    "content-in-the-directory": archive(good, Entry("a.txt", local=dict(packed=40, size=40), central=dict(packed=40, size=40))),
    "harmless-stored-descriptor": archive(good, Entry("a.txt", local=dict(flags=8, crc=0, packed=0, size=0), central=dict(flags=8),
                                                  descriptor=struct.pack("<4s3I", b"PK\7\x08", zlib.crc32(b"content\n"), 8, 8))),
    "deflate-cut-short": archive(good, Entry("a.txt", b"a" * 500 + bytes(range(256)), method=8, packed=b"\x4b\x4c")),
    "deflate-longer-than-said": archive(good, Entry("a.txt", b"a" * 5000, method=8, local=dict(size=10), central=dict(size=10))),
    "encrypted-by-flag": archive(good, Entry("a.txt", local=dict(flags=1), central=dict(flags=1))),
    "header-missing": archive(good, Entry("a.txt", central=dict(offset=7))),
    "header-outside": archive(good, Entry("a.txt", central=dict(offset=1 << 30))),
    "local-crc-differs": archive(good, Entry("a.txt", local=dict(crc=1))),
    "local-method-differs": archive(good, Entry("a.txt", local=dict(method=8))),
    "local-name-differs": archive(good, Entry("a.txt", local=dict(name=b"b.exe"))),
    "local-size-differs": archive(good, Entry("a.txt", local=dict(size=80, packed=80))),
    "method-unknown": archive(good, Entry("a.txt", local=dict(method=77), central=dict(method=77))),
    "overlap-same-header": archive(first, second, Entry("third.txt", b"1" * 60, central=dict(offset=0))),
    "overlap-quoted": archive(Entry("a.txt", Entry("b.txt").header() + b"content\n"), Entry("b.txt", central=dict(offset=35))),
    "stored-with-two-sizes": archive(good, Entry("a.txt", local=dict(size=9000), central=dict(size=9000))),
    "wrong-crc": archive(good, Entry("a.txt", local=dict(crc=1), central=dict(crc=1))),
    "mode-of-a-device": archive(good, Entry("null", b"", 0o020666)),
    "mode-setuid": archive(good, Entry("run.sh", b"#!/bin/sh\n", 0o104755)),
    # The file
    "harmless-comment": archive(good, comment=b"see https://example.com"),
    "comment-with-an-end": archive(good, comment=b"x" * 8 + archive()[-22:]),
    "count-too-high": archive(good, count=2),
    "count-too-low": archive(first, second, count=1),
    "cut-off": archive(first, second)[:-30],
    "directory-size-wrong": archive(first, second, size=10),
    "gap-between-entries": archive(first, Entry("second.txt", gap=b"smuggled" * 9)),
    "hidden-entry": archive(first, Entry("second.txt", gap=Entry("hidden.txt").header() + b"content\n")),
    "other-disk": archive(good, disk=1),
    "prefix-script": archive(good, prefix=b"#!/bin/sh\nexit 0\n"),
    "trailing-bytes": archive(good, suffix=b"appended" * 5),
    "two-archives": archive(good) + archive(Entry("other.txt")),
    "zip64-count-of-millions": archive(good, count=0xFFFF, size=0xFFFFFFFF, offset=0xFFFFFFFF, before=zip64(
        1 << 40, 1 << 40, 0, len(archive(good)) - 22)),
    # Bombs
    "harmless-nested-zips": archive(Entry("a.zip", archive(Entry("b.zip", archive(Entry("c.txt", bomb, method=8)), method=8)), method=8)),
    "bomb-overlapping": archive(Entry("0", bomb, method=8), *[Entry(
        str(i), bomb, method=8, packed=b"", central=dict(offset=0, packed=len(Entry("", bomb, method=8).packed))) for i in range(1, 400)]),
    "harmless-zeros": archive(good, Entry("zeros", bomb, method=8)),
}
os.makedirs(sys.argv[1], exist_ok=True)
for name, data in tricks.items():
    with open(os.path.join(sys.argv[1], name + ".zip"), "wb") as file:
        file.write(data)
print(len(tricks))
