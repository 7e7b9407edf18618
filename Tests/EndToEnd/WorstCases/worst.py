"""The worst that a parser can be given, of a size: worst.py CASE BINARY FOLDER.

Writes the case at a tenth of its size and at its size, runs the binary on each, and prints for both the processor time in
seconds, the peak memory in megabytes and how it ended (a signal is negative).
"""
import io, os, random, struct, subprocess, sys, zipfile, zlib

MB = 1_000_000
MANIFEST = '<manifest xmlns:android="http://schemas.android.com/apk/res/android" package="a.b">'
PLIST = '<?xml version="1.0"?><plist version="1.0"><dict>'
STUB = ("--- !tapi-tbd\ntbd-version: 4\ntargets: [ arm64-ios ]\ninstall-name: /a.dylib\nexports:\n"
        "  - targets: [ arm64-ios ]\n    symbols: [ ")


def fill(size, head, part, tail=""):
    """`part` of each number in turn, up to the size."""
    parts, length, number = [head], len(head), 0
    while length < size:
        parts.append(part(number) if callable(part) else part)
        length += len(parts[-1])
        number += 1
    return "".join(parts + [tail]).encode()


def zipped(*entries):
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as z:
        for name, data in entries:
            z.writestr(name, data)
    return file.getvalue()


def local(name, extra=b""):
    return struct.pack("<IHHHHHIIIHH", 0x04034B50, 20, 0, 0, 0, 0x21, 0, 0, 0, len(name), len(extra)) + name + extra


def central(name, offset, mode, extra=b""):
    return struct.pack("<IHHHHHHIIIHHHHHII", 0x02014B50, 0x314, 20, 0, 0, 0, 0x21, 0, 0, 0, len(name), len(extra), 0, 0, 0,
                       mode << 16, offset) + name + extra


def end(count, size, offset):
    wide = b""
    if count >= 0xFFFF:
        wide = struct.pack("<IQHHIIQQQQ", 0x06064B50, 44, 0x314, 45, 0, 0, count, count, size, offset)
        wide += struct.pack("<IIQI", 0x07064B50, 0, offset + size, 1)
    few = min(count, 0xFFFF)
    return wide + struct.pack("<IHHHHIIH", 0x06054B50, 0, 0, few, few, size, offset, 0)


def archive(size, name, mode=0o100644, extra=b""):
    """A zip of empty entries, with the name of each number."""
    headers, directory, offset, length = [], [], 0, 0
    while length < size:
        path = name(len(headers))
        headers.append(local(path, extra))
        directory.append(central(path, offset, mode, extra))
        offset += len(headers[-1])
        length += len(headers[-1]) + len(directory[-1])
    whole = b"".join(directory)
    return b"".join(headers) + whole + end(len(directory), len(whole), offset)


def shared(size):
    """Every entry has the same local header, as large as one can be."""
    header = local(b"n" * 65000, b"\2\0\0\0" * 16000)
    directory = [central(b"a%x" % (number % 16), 0, 0o120777) for number in range(size // 47)]
    whole = b"".join(directory)
    return header + whole + end(len(directory), len(whole), len(header))


def deep(number):
    part = (b"%x" % number * 20)[:15]
    return b"/".join(b"%x%s" % (level, part) for level in range(250))[:4090]


def member(data, name=b"m.o/"):
    return name.ljust(16) + b"0           0     0     100644  " + str(len(data)).ljust(10).encode() + b"`\n" + data


def macho(commands, count, rest=b""):
    return struct.pack("<IIIIIIII", 0xFEEDFACF, 0x100000C, 0, 1, count, len(commands), 0, 0) + commands + rest


def symbols(size, names, name):
    count = size // 28
    table = b"".join(struct.pack("<IBBHQ", name(number), 1, 0, 0, 0) for number in range(count))
    command = struct.pack("<IIIIII", 2, 24, 56, count, 56 + len(table), len(names(count)))
    return macho(command, 1, table + names(count))


def aar(manifest):
    return zipped(("AndroidManifest.xml", manifest), ("R.txt", b""), ("classes.jar", b""))


def bundle(plist):
    return zipped(("X.bundle/Info.plist", plist))


def code(size):
    """A zip of object files that are a hundred times as large as what is packed of them."""
    data = symbols(280, lambda count: b"\0_name\0".ljust(200_000, b"\0"), lambda i: 1) + random.Random(7).randbytes(1600)
    deflate = zlib.compressobj(9, zlib.DEFLATED, -15)
    packed = deflate.compress(data) + deflate.flush()
    sizes = 8, zlib.crc32(data), len(packed), len(data)
    parts, directory, offset = [], [], 0
    for number in range(size // (len(packed) + 2 * len(b"%08x.o") + 80)):
        name = b"%08x.o" % number
        header = bytearray(local(name))
        struct.pack_into("<H", header, 8, sizes[0])
        struct.pack_into("<III", header, 14, *sizes[1:])
        entry = bytearray(central(name, offset, 0o100644))
        struct.pack_into("<H", entry, 10, sizes[0])
        struct.pack_into("<III", entry, 16, *sizes[1:])
        parts += [header, packed]
        directory.append(entry)
        offset += len(header) + len(packed)
    whole = b"".join(directory)
    return b"".join(parts) + whole + end(len(directory), len(whole), offset)


LINT, CONFIG, SYMBOLS, CHECK = ["lint"], ["config"], ["symbols"], ["check"]
XML, TEXT = 10 * MB, 4 * MB

# Case: file, command, size, content of a size.
CASES = {
    "zip-entries": ("a.zip", LINT, 10 * MB, lambda n: archive(n, lambda i: b"%x" % i)),
    "zip-long-names": ("a.zip", LINT, 10 * MB, lambda n: archive(n, lambda i: b"%08x" % i + b"n" * 4080)),
    "zip-longest-names": ("a.zip", LINT, 10 * MB, lambda n: archive(n, lambda i: b"%08x" % i + b"n" * 65500)),
    "zip-deep-names": ("a.zip", LINT, 10 * MB, lambda n: archive(n, deep)),
    "zip-deepest-names": ("a.zip", LINT, 10 * MB, lambda n: archive(n, lambda i: b"%x/" % i + b"a/" * 32000 + b"x")),
    "zip-one-name": ("a.zip", LINT, 10 * MB, lambda n: archive(n, lambda i: b"a")),
    "zip-links": ("a.zip", LINT, 10 * MB, lambda n: archive(
        n, lambda i: b"l/" * min(i, 250) + b"l" + (b"%x" % i if i > 250 else b""), 0o120777)),
    "zip-extra-fields": ("a.zip", LINT, 10 * MB, lambda n: archive(
        n, lambda i: b"%x" % i, extra=b"\2\0\0\0" * 8000 + b"\1\0\0\0" * 8000)),
    "zip-one-header": ("a.zip", LINT, 10 * MB, shared),
    "jar-deep-names": ("a.aar", LINT, 10 * MB, lambda n: zipped(
        ("AndroidManifest.xml", MANIFEST + "</manifest>"), ("classes.jar", archive(n, deep)))),
    "xml-elements": ("a.aar", LINT, XML, lambda n: aar(fill(n, MANIFEST, "<a/>", "</manifest>"))),
    "xml-depth": ("a.aar", LINT, XML, lambda n: aar(fill(n, MANIFEST, "<a>"))),
    "xml-attributes": ("a.aar", LINT, XML, lambda n: aar(fill(n, "<manifest ", lambda i: 'a%x="" ' % i, "/>"))),
    "xml-prefixes": ("a.aar", LINT, XML, lambda n: aar(fill(n, "<manifest ", lambda i: 'xmlns:a%x="%x" ' % (i, i), "/>"))),
    "xml-prefix-changes": ("a.aar", LINT, XML, lambda n: aar(fill(
        n, "<manifest " + " ".join('xmlns:p%x="%x"' % (i, i) for i in range(250)) + ">", lambda i: '<b xmlns="%x"/>' % i,
        "</manifest>"))),
    "xml-text": ("a.aar", LINT, XML, lambda n: aar(fill(n, MANIFEST + "<a>", "&lt;\n", "</a></manifest>"))),
    "xml-doctype": ("a.aar", LINT, XML, lambda n: aar(fill(
        n, "<!DOCTYPE manifest [", lambda i: "<!ATTLIST manifest a%x CDATA #IMPLIED>" % i, "]>" + MANIFEST + "</manifest>"))),
    "plist-keys": ("a.zip", LINT, TEXT, lambda n: bundle(fill(n, PLIST, lambda i: "<key>%x</key><true/>" % i, "</dict></plist>"))),
    "plist-depth": ("a.zip", LINT, TEXT, lambda n: bundle(fill(n, PLIST + "<key>a</key>", "<array>"))),
    "yaml-keys": ("npi.yml", CONFIG, TEXT, lambda n: fill(n, "name: a\nversion: 1\nconfig:\n", lambda i: " k%x: v\n" % i)),
    "yaml-list": ("npi.yml", CONFIG, TEXT, lambda n: fill(n, "name: a\nversion: 1\nx: [", lambda i: "%x," % i, "]")),
    "yaml-depth": ("npi.yml", CONFIG, TEXT, lambda n: fill(n, "name: ", "[")),
    "yaml-line": ("npi.yml", CONFIG, TEXT, lambda n: fill(n, 'name: "', "é", '"')[:n]),
    "json-keys": ("npi.yml", CONFIG, 2 * MB, lambda n: fill(n, '{"config": {"a": "b"', lambda i: ',"k%x":1' % i, "}}")),
    "stub-symbols": ("a.tbd", SYMBOLS, 10 * MB, lambda n: fill(n, STUB, lambda i: "_%x, " % i, "_z ]\n...\n")),
    "stub-documents": ("a.tbd", SYMBOLS, 10 * MB, lambda n: fill(n, "", STUB + "_a ]\n")),
    "library-members": ("a.a", SYMBOLS, 10 * MB, lambda n: b"!<arch>\n" + member(b"") * (n // 60)),
    "library-long-names": ("a.a", SYMBOLS, 10 * MB, lambda n: b"!<arch>\n" + member(b"n" * 8999 + b"\n", b"//")
                           + member(b"x" * 64, b"/0") * (n // 124)),
    "object-symbols": ("a.o", SYMBOLS, 10 * MB, lambda n: symbols(
        n, lambda count: b"\0" + b"".join(b"_%08x\0" % i for i in range(count)), lambda i: 1 + 10 * i)),
    "object-one-name": ("a.o", SYMBOLS, 10 * MB, lambda n: symbols(n, lambda count: b"\0_" + b"n" * 60000 + b"\0", lambda i: 1)),
    "object-commands": ("a.o", SYMBOLS, 10 * MB, lambda n: macho(struct.pack("<II", 0x2F, 8) * (n // 8), n // 8)),
    "zip-of-code": ("a.zip", SYMBOLS, 10 * MB, code),
    "check-zip-of-code": ("a.zip", CHECK, 10 * MB, code),
    "nested-archives": ("a.zip", SYMBOLS, 10 * MB, lambda n: zipped(
        *(("%x.zip" % i, b"PK\5\6" + bytes(18)) for i in range(n // 130)))),
}


def measure(binary, words, folder):
    with open(os.path.join(folder, "out"), "wb") as out:
        process = subprocess.Popen([binary] + words, cwd=folder, stdout=out, stderr=out)
    _, status, used = os.wait4(process.pid, 0)
    memory = used.ru_maxrss / (1 << 20 if sys.platform == "darwin" else 1 << 10)
    return used.ru_utime + used.ru_stime, memory, os.waitstatus_to_exitcode(status)


case, binary, folder = sys.argv[1:]
file, words, size, content = CASES[case]
for each in (size // 10, size):
    with open(os.path.join(folder, file), "wb") as output:
        output.write(content(each))
    seconds, memory, status = measure(binary, words + ([] if words == CONFIG else [file]), folder)
    print(f"{seconds:.3f} {memory:.1f} {status}")
