"""What worst cases are made of: texts, zips, object files."""
import io, random, struct, zipfile, zlib

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


def one(file, words, size, content):
    """A case of one file, which the command is given."""
    return words + [file], size, lambda size: {file: content(size)}
