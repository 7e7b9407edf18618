"""Worst cases of object files of other formats, of what is printed of them, and of files beside them."""

from making import *

SYMBOLS, CHECK, LINT, BUILD = ["symbols"], ["check"], ["lint"], ["build"]


def elf(sections):
    """Sections are type, link, size of an entry, content."""
    content, headers = bytearray(), bytearray(64)
    for kind, link, each, data in sections:
        headers += struct.pack("<IIQQQQIIQQ", 0, kind, 2, 0, 64 + len(content), len(data), link, 1, 8, each)
        content += data + bytes(-len(data) % 8)
    count = len(sections) + 1
    if count >= 0xFF00:
        struct.pack_into("<Q", headers, 32, count)
    header = struct.pack("<16sHHIQQQIHHHHHH", b"\x7fELF\2\1\1", 3, 183, 1, 0, 0, 64 + len(content), 0, 64, 56, 0, 64,
                         count if count < 0xFF00 else 0, 0)
    return header + bytes(content + headers)


def entries(count, name):
    return bytes(24) + b"".join(struct.pack("<IBBHQQ", name(i), 0x12, 0, 1, 16 * i, 16) for i in range(count))


def image(size, name, names, kind):
    """A library with symbols: those for the linker (2) or those for the loader (11)."""
    count = size // 40
    return elf([(3, 0, 0, names(count)), (kind, 1, 24, entries(count, name))])


def bits(*fields):
    """Numbers and their widths, from the lowest bit on; a width below 0 is of parts, the highest bit says that more follow."""
    value = place = 0
    for number, width in fields:
        while width < 0:
            part, number = number & (1 << -width - 1) - 1, number >> -width - 1
            value |= (part | (1 << -width - 1 if number else 0)) << place
            place -= width
            if not number:
                width = 0
        if width > 0:
            value |= number << place
            place += width
    return value.to_bytes((place + 31) // 32 * 4, "little")


def block(number, data):
    """A block of bitcode whose only record, of code 1, is bytes."""
    data += bytes(-len(data) % 4)
    # The abbreviation: two operands, 1 itself and bytes.
    inside = bits((2, 3), (2, -5), (1, 1), (1, -8), (0, 1), (5, 3), (4, 3), (len(data), -6)) + data + bytes(4)
    return bits((1, 2), (number, -8), (3, -4)) + struct.pack("<I", len(inside) // 4) + inside


def bitcode(size, name, names):
    count = size // 34
    strings = names(count)
    table = struct.pack("<I", 3) + struct.pack("<II", 0, 0) * 2 + bytes(8)
    table = struct.pack("<IIIIIIIII", 3, 0, 0, 0, 0, 0, 0, 84, count) + bytes(84 - 36)
    table += b"".join(struct.pack("<IIIIII", *name(i), *name(i), 0xFFFFFFFF, 0x201) for i in range(count))
    return b"BC\xc0\xde" + block(25, table) + block(23, strings)


def fat(size, part):
    """As many architectures as there is room for."""
    count = size // (32 + len(part))
    start = 8 + 32 * count
    return struct.pack(">II", 0xCAFEBABF, count) + b"".join(
        struct.pack(">IIQQII", 0x1000000 + i, 0, start + len(part) * i, len(part), 0, 0) for i in range(count)) + part * count


def library(size, name):
    """A member with a long name, and in it as many symbols as there is room for."""
    return b"!<arch>\n" + member(b"n" * name + b"/\n", b"//") + member(
        symbols(size, lambda count: b"\0_a\0" + bytes(4), lambda i: 1), b"/0")


RECORD = '{"version":1,"plugin":{"name":"a","version":"1","extends":[]},"deliverables":['
DELIVERABLE = '{"name":"a","kind":"b","path":"%x","size":1,"sha256":"","entries":['


def record(size):
    part = lambda i: ("," if i else "") + DELIVERABLE % i + "]}"
    return {"a.release.json": fill(size, RECORD, part, "]}")}


def record_entries(size):
    part = lambda i: ("," if i else "") + '{"path":"%x","size":1,"mode":"","sha256":""}' % i
    return {"a.release.json": fill(size, RECORD + DELIVERABLE % 0, part, "]}]}")}


MANIFEST_OF_STEPS = b"name: A\nversion: 1\nsteps:\n  %s\ndeliverables:\n  c: { kind: config }\n"


def baseline(size, part):
    return {"a.zip": zipped(("a", b"")), "base": fill(size, "# npi-pack baseline 1\n", part)}


def depfile(size, part):
    step = "s: { run: [sh, -c, cp d.src d && touch o], outputs: [o], depfile: d }"
    return {"npi.yml": MANIFEST_OF_STEPS % step.encode(), "d.src": fill(size, "o:", part, "\n")}


def index(size, name, version=2):
    entries, length = [], 0
    while length < size:
        path = name(len(entries))
        entry = bytes(60) + b"\0\0" + path
        entries.append(entry + (b"\0" if version == 4 else bytes(8 - len(entry) % 8)))
        length += len(entries[-1])
    return b"DIRC" + struct.pack(">II", version, len(entries)) + b"".join(entries)


FOLDERS = ["o%d" % number for number in range(40)]


def repository(size, name, version=2):
    """What steps make are folders that are there, and that git might track."""
    steps = "\n  ".join("%s: { run: ['true'], outputs: [%s/] }" % (name, name) for name in FOLDERS)
    return {"npi.yml": MANIFEST_OF_STEPS % steps.encode(), ".git/index": index(size, name, version)} | {
        name + "/f": b"" for name in FOLDERS}


def plain(count):
    return b"\0" + b"".join(b"_%08x\0" % i for i in range(count))


def mangled(count):
    return b"\0" + b"".join(b"__Z8%08xv\0" % i for i in range(count))


def spaced(count):
    return b"".join(b"_%08x " % i for i in range(count))


def far(count):
    return b"\0" + b"n" * 60000 + b"\0"


CASES = {
    "elf-symbols": one("a.so", SYMBOLS, 10 * MB, lambda n: image(n, lambda i: 1 + 10 * i, plain, 2)),
    "elf-tables": one("a.so", SYMBOLS, 10 * MB, lambda n: elf([(2, 1, 24, bytes(24))] * (n // 88))),
    "bitcode-symbols": one("a.o", SYMBOLS, 10 * MB, lambda n: bitcode(n, lambda i: (10 * i, 9), spaced)),
    "check-bitcode": one("a.o", CHECK, 10 * MB, lambda n: bitcode(n, lambda i: (10 * i, 9), spaced)),
    "fat-slices": one("a.a", SYMBOLS, 10 * MB, lambda n: fat(n, macho(b"", 0))),
    "check-fat-slices": one("a.a", CHECK, 10 * MB, lambda n: fat(n, macho(b"", 0))),
    "lint-fat-slices": one("a.zip", LINT, 10 * MB, lambda n: zipped(("liba.a", fat(n, macho(b"", 0))))),
    "library-repeated-name": one("a.a", SYMBOLS + ["-A"], 10 * MB, lambda n: library(n, 8900)),
    "json-symbols": one("a.o", SYMBOLS + ["--format", "json"], 10 * MB, lambda n: symbols(n, plain, lambda i: 1 + 10 * i)),
    "json-one-name": one("a.o", SYMBOLS + ["--format", "json"], 10 * MB, lambda n: symbols(
        n, lambda c: b"\0_" + b"\1" * 200 + b"\0", lambda i: 1)),
    "demangled": one("a.o", SYMBOLS + ["-C"], 10 * MB, lambda n: symbols(n, mangled, lambda i: 1 + 14 * i)),
    "demangled-one-name": one("a.o", SYMBOLS + ["-C"], 10 * MB, lambda n: symbols(
        n, lambda c: b"\0__Z1f" + b"Ss" * 200 + b"\0", lambda i: 1)),
    "check-symbols": one("a.o", CHECK, 10 * MB, lambda n: symbols(n, plain, lambda i: 1 + 10 * i)),
    "check-members": one("a.a", CHECK, 10 * MB, lambda n: b"!<arch>\n" + member(macho(b"", 0)) * (n // 92)),
    "check-slices": one("a.zip", CHECK, 10 * MB, lambda n: zipped(*(
        ("%x.o" % i, macho(struct.pack("<IIIIII", 0x32, 24, i, 0, 0, 0), 1)) for i in range(n // 150)))),
    "record": (CHECK + ["a.release.json"], 10 * MB, record),
    "record-entries": (CHECK + ["a.release.json"], 10 * MB, record_entries),
    "baseline": (LINT + ["--baseline", "base", "a.zip"], 10 * MB, lambda n: baseline(n, lambda i: "a\tb\t%x\n" % i)),
    "depfile": (BUILD + ["s"], 10 * MB, lambda n: depfile(n, lambda i: " %x" % i)),
    "depfile-deep": (BUILD + ["s"], 10 * MB, lambda n: depfile(n, lambda i: " %s%x" % ("a/" * 1000, i))),
    "git-index": (BUILD + list(FOLDERS), 10 * MB, lambda n: repository(n, lambda i: b"%x" % i)),
    "git-index-4": (BUILD + list(FOLDERS), 10 * MB, lambda n: repository(
        n, lambda i: b"\0" + (b"n" * (n // 2) if i == 0 else b""), 4)),
}
