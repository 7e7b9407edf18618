"""make test-corpus: the symbols of real packages' binaries, as npi-pack and as llvm-nm print them.

Fetches wheels for macOS, iOS, Android and Linux with pip (once, into .build/symbol-corpus), unpacks them and compares
every Mach-O and ELF file in them, byte for byte, with several options; then the whole wheel, read through the zip, with
its unpacked folder. Exits with 1 at any difference, and if fewer than 20 packages could be had.
"""
import concurrent.futures
import pathlib
import re
import subprocess
import sys
import zipfile

tool = sys.argv[1]
home = pathlib.Path(".build/symbol-corpus")

MAC = ["macosx_11_0_arm64", "macosx_14_0_arm64", "macosx_10_13_x86_64", "macosx_10_9_x86_64", "macosx_10_13_universal2",
       "macosx_10_9_universal2"]
IOS = ["ios_13_0_arm64_iphoneos", "ios_13_0_arm64_iphonesimulator", "ios_13_0_x86_64_iphonesimulator"]
ANDROID = ["android_24_arm64_v8a", "android_21_arm64_v8a", "android_24_x86_64", "android_21_x86_64"]
LINUX = ["manylinux_2_17_x86_64", "manylinux2014_x86_64", "manylinux_2_28_x86_64"]
WANTED = {
    "numpy": [MAC, LINUX], "pillow": [MAC, IOS], "pybase64": [MAC, IOS, ANDROID], "lru-dict": [MAC, IOS],
    "pyobjc-core": [MAC], "pyobjc-framework-cocoa": [MAC], "halide": [MAC, LINUX], "pyzmq": [MAC, LINUX],
    "cffi": [MAC, LINUX], "cryptography": [MAC, LINUX], "lxml": [MAC], "psutil": [MAC, LINUX], "orjson": [MAC],
    "ujson": [MAC], "regex": [MAC], "msgpack": [MAC, LINUX], "aiohttp": [MAC], "markupsafe": [MAC, LINUX],
    "pyyaml": [MAC], "zstandard": [MAC], "brotli": [MAC], "lz4": [MAC], "grpcio": [MAC], "h5py": [MAC],
    "shapely": [MAC], "protobuf": [MAC], "tokenizers": [MAC], "watchdog": [MAC], "greenlet": [MAC],
    "bitarray": [MAC, IOS, ANDROID],
}
OPTIONS = [[], ["-g"], ["-U"], ["-u"], ["-A"]]


def fetch(package, platforms):
    """The wheel for the first of the platforms that there is one for; None if there is none."""
    for platform in platforms:
        folder = home / "wheels" / package / platform
        found = sorted(folder.glob("*.whl")) if folder.is_dir() else []
        if not found and not (folder / "none").exists():
            folder.mkdir(parents=True, exist_ok=True)
            pip = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--only-binary=:all:",
                   "--disable-pip-version-check", "--python-version", "3.13", "--platform", platform, "-d", str(folder)]
            if subprocess.run(pip + [package], capture_output=True).returncode != 0:
                (folder / "none").touch()
            found = sorted(folder.glob("*.whl"))
        if found:
            return found[0]
    return None


def is_binary(path):
    with open(path, "rb") as file:
        head = file.read(8)
    magics = [b"\x7fELF", b"\xcf\xfa\xed\xfe", b"\xce\xfa\xed\xfe", b"\xca\xfe\xba\xbe", b"\xca\xfe\xba\xbf", b"!<arch>"]
    return any(head.startswith(magic) for magic in magics)


def output(words):
    return subprocess.run(words, capture_output=True).stdout


def compare(path):
    """What differs, in words."""
    problems = []
    for options in OPTIONS:
        theirs = output(["llvm-nm-19", "-p", "--no-llvm-bc", "--arch=all"] + options + [str(path)])
        if output([tool, "symbols"] + options + [str(path)]) != theirs:
            problems.append(f"{path} {' '.join(options)}")
    return problems, theirs.count(b"\n")


packages, files, lines, problems = set(), 0, 0, []
for package, choices in WANTED.items():
    for platforms in choices:
        wheel = fetch(package, platforms)
        if wheel is None:
            print(f"{package}: no wheel for {platforms[0]} and the like")
            continue
        folder = home / "unpacked" / wheel.stem
        if not folder.is_dir():
            with zipfile.ZipFile(wheel) as archive:
                archive.extractall(folder)
        binaries = sorted(path for path in folder.rglob("*") if path.is_file() and is_binary(path))
        if not binaries:
            print(f"{wheel.name}: no binaries")
            continue
        packages.add(package)
        count = 0
        with concurrent.futures.ThreadPoolExecutor() as pool:
            for found, number in pool.map(compare, binaries):
                problems += found
                count += number
        # Through the zip: the same objects, with other names above them, in the zip's order.
        def blocks(words):
            text = output([tool, "symbols", "-A"] + words).decode("utf-8", "surrogateescape")
            above = re.compile(r"^(\(for architecture \w+\):)?(?:.*?\.whl › |" + re.escape(str(folder)) + "/)")
            return sorted(above.sub(lambda match: match[1] or "", line) for line in text.splitlines())
        if blocks([str(wheel)]) != blocks([str(folder)]):
            problems.append(f"{wheel.name}: through the zip and unpacked")
        print(f"{wheel.name}: {len(binaries)} files, {count} symbols")
        files += len(binaries)
        lines += count
print(f"{len(packages)} packages, {files} files, {lines} lines with each of {len(OPTIONS)} sets of options: "
      f"{len(problems)} differences")
for problem in problems:
    print("differs:", problem)
sys.exit(1 if problems or len(packages) < 20 else 0)
