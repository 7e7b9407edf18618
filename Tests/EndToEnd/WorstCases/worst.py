"""The worst that a parser can be given, of a size: worst.py CASE BINARY FOLDER.

Writes the case at a tenth of its size and at its size and runs the binary on each. Prints the processor time in seconds, the
peak memory in megabytes and how it ended (a signal is negative): of a run that reads nothing, of the tenth, of the whole.
A machine that others share is not equally fast from one second to the next, so the tenth is run before the whole and after
it, about as long as the whole, and its mean is what counts.
"""
import os, shutil, subprocess, sys

# Nothing is to lie beside the sources.
sys.dont_write_bytecode = True
import android, objects
from making import *

LINT, SYMBOLS, CHECK = ["lint"], ["symbols"], ["check"]
XML, TEXT = 10 * MB, 4 * MB
LIBRARY = ("<dict><key>LibraryIdentifier</key><string>%x</string><key>LibraryPath</key><string>%sx.a</string>"
           "<key>SupportedPlatform</key><string>ios</string><key>SupportedArchitectures</key><array/></dict>")


def manifest(size, content):
    return ["config"], size, lambda size: {"npi.yml": content(size)}


def tree(size, files):
    return ["init", "-n"], size, files


# Most that is read of a page.
PAGE = 8 * MB - MB // 4
ROUTES = """name: a
version: 1
rules:
  unknown-route: { scheme: app, routes: [%s] }
""" % ", ".join("shows/view%d" % number for number in range(30))


def web(size, name, head, part="", tail=""):
    """A bucket with one file, and the routes of its app."""
    return LINT + ["a.zip", "--recipe", "./routes.yml"], size, lambda size: {"routes.yml": ROUTES.encode(), "a.zip": zipped(
        ("1.0/manifest.mf", b""), ("1.0/" + name, fill(size, head, part, tail)))}


# Case: file, command, size, content of a size.
CASES = {
    "zip-entries": one("a.zip", LINT, 10 * MB, lambda n: archive(n, lambda i: b"%x" % i)),
    "zip-long-names": one("a.zip", LINT, 10 * MB, lambda n: archive(n, lambda i: b"%08x" % i + b"n" * 4080)),
    "zip-longest-names": one("a.zip", LINT, 10 * MB, lambda n: archive(n, lambda i: b"%08x" % i + b"n" * 65500)),
    "zip-deep-names": one("a.zip", LINT, 10 * MB, lambda n: archive(n, deep)),
    "zip-deepest-names": one("a.zip", LINT, 10 * MB, lambda n: archive(n, lambda i: b"%x/" % i + b"a/" * 32000 + b"x")),
    "zip-one-name": one("a.zip", LINT, 10 * MB, lambda n: archive(n, lambda i: b"a")),
    "zip-links": one("a.zip", LINT, 10 * MB, lambda n: archive(
        n, lambda i: b"l/" * min(i, 250) + b"l" + (b"%x" % i if i > 250 else b""), 0o120777)),
    "zip-extra-fields": one("a.zip", LINT, 10 * MB, lambda n: archive(
        n, lambda i: b"%x" % i, extra=b"\2\0\0\0" * 8000 + b"\1\0\0\0" * 8000)),
    "zip-one-header": one("a.zip", LINT, 10 * MB, shared),
    "jar-deep-names": one("a.aar", LINT, 10 * MB, lambda n: zipped(
        ("AndroidManifest.xml", MANIFEST + "</manifest>"), ("classes.jar", archive(n, deep)))),
    "xml-elements": one("a.aar", LINT, XML, lambda n: aar(fill(n, MANIFEST, "<a/>", "</manifest>"))),
    "xml-depth": one("a.aar", LINT, XML, lambda n: aar(fill(n, MANIFEST, "<a>"))),
    "xml-attributes": one("a.aar", LINT, XML, lambda n: aar(fill(n, "<manifest ", lambda i: 'a%x="" ' % i, "/>"))),
    "xml-prefixes": one("a.aar", LINT, XML, lambda n: aar(fill(n, "<manifest ", lambda i: 'xmlns:a%x="%x" ' % (i, i), "/>"))),
    "xml-prefix-changes": one("a.aar", LINT, XML, lambda n: aar(fill(
        n, "<manifest " + " ".join('xmlns:p%x="%x"' % (i, i) for i in range(250)) + ">", lambda i: '<b xmlns="%x"/>' % i,
        "</manifest>"))),
    "xml-text": one("a.aar", LINT, XML, lambda n: aar(fill(n, MANIFEST + "<a>", "&lt;\n", "</a></manifest>"))),
    "xml-doctype": one("a.aar", LINT, XML, lambda n: aar(fill(
        n, "<!DOCTYPE manifest [", lambda i: "<!ATTLIST manifest a%x CDATA #IMPLIED>" % i, "]>" + MANIFEST + "</manifest>"))),
    "plist-keys": one("a.zip", LINT, TEXT, lambda n: bundle(fill(
        n, PLIST, lambda i: "<key>%x</key><true/>" % i, "</dict></plist>"))),
    "plist-depth": one("a.zip", LINT, TEXT, lambda n: bundle(fill(n, PLIST + "<key>a</key>", "<array>"))),
    # Libraries at paths of every length, and files as deep as they can be.
    "xcframework": one("a.zip", LINT, TEXT, lambda n: zipped(
        ("A.xcframework/Info.plist", fill(
            n - n // 4, PLIST + "<key>XCFrameworkFormatVersion</key><string>1.0</string><key>AvailableLibraries</key><array>",
            lambda i: LIBRARY % (i, "a/" * (i % 200)), "</array></dict></plist>")),
        *(("A.xcframework/%s%x" % ("a/" * 240, i), b"") for i in range(n // 2000)))),
    "yaml-keys": manifest(TEXT, lambda n: fill(n, "name: a\nversion: 1\nconfig:\n", lambda i: " k%x: v\n" % i)),
    "yaml-list": manifest(TEXT, lambda n: fill(n, "name: a\nversion: 1\nx: [", lambda i: "%x," % i, "]")),
    "yaml-depth": manifest(TEXT, lambda n: fill(n, "name: ", "[")),
    "yaml-line": manifest(TEXT, lambda n: fill(n, 'name: "', "é", '"')[:n]),
    "json-keys": manifest(2 * MB, lambda n: fill(n, '{"config": {"a": "b"', lambda i: ',"k%x":1' % i, "}}")),
    "init-project": tree(TEXT, lambda n: {"A.xcodeproj/project.pbxproj": fill(
        n, "{ rootObject = P; objects = { P = { targets = (", lambda i: "k%x," % i, "); }; };}")}),
    "init-project-objects": tree(TEXT, lambda n: {"A.xcodeproj/project.pbxproj": fill(
        n, "{ rootObject = P; objects = { P = { targets = (k0); };",
        lambda i: 'k%x = { isa = PBXNativeTarget; name = "\\"%x"; };' % (i, i), "};}")}),
    "init-project-depth": tree(TEXT, lambda n: {"A.xcodeproj/project.pbxproj": fill(n, "{ a = ", "({a = ")}),
    "init-project-quote": tree(TEXT, lambda n: {"A.xcodeproj/project.pbxproj": fill(n, "{ a = \xe2\"", "\\\"/*")}),
    "init-script": tree(TEXT, lambda n: {"build.gradle": fill(n, "", "apply plugin: 'com.android.(((((\n")}),
    "init-line": tree(TEXT, lambda n: {
        "build.gradle": fill(n, "", "apply plugin com.android.com.android."), "a.podspec": fill(n, "s.version = '", "((((")}),
    "init-parts": tree(TEXT, lambda n: {"a%x/lib%x.a" % (i % 99, i): b"!<arch>\n" for i in range(n // 400)}),
    "init-modules": tree(TEXT, lambda n: {
        "gradlew": b"", "settings.gradle": fill(n // 10, "", lambda i: "include ':a%x'\n" % i),
        **{"a%x/build.gradle" % i: b"apply plugin: 'com.android.library'" for i in range(n // 800)}}),
    "init-packages": tree(TEXT, lambda n: {"a%x/b/package.json" % i: b'{"name": "a"}' for i in range(n // 800)}),
    "stub-symbols": one("a.tbd", SYMBOLS, 10 * MB, lambda n: fill(n, STUB, lambda i: "_%x, " % i, "_z ]\n...\n")),
    "stub-documents": one("a.tbd", SYMBOLS, 10 * MB, lambda n: fill(n, "", STUB + "_a ]\n")),
    "library-members": one("a.a", SYMBOLS, 10 * MB, lambda n: b"!<arch>\n" + member(b"") * (n // 60)),
    "library-long-names": one("a.a", SYMBOLS, 10 * MB, lambda n: b"!<arch>\n" + member(b"n" * 8999 + b"\n", b"//")
                           + member(b"x" * 64, b"/0") * (n // 124)),
    "object-symbols": one("a.o", SYMBOLS, 10 * MB, lambda n: symbols(
        n, lambda count: b"\0" + b"".join(b"_%08x\0" % i for i in range(count)), lambda i: 1 + 10 * i)),
    "object-one-name": one("a.o", SYMBOLS, 10 * MB, lambda n: symbols(
        n, lambda count: b"\0_" + b"n" * 60000 + b"\0", lambda i: 1)),
    "object-commands": one("a.o", SYMBOLS, 10 * MB, lambda n: macho(struct.pack("<II", 0x2F, 8) * (n // 8), n // 8)),
    "zip-of-code": one("a.zip", SYMBOLS, 10 * MB, code),
    "check-zip-of-code": one("a.zip", CHECK, 10 * MB, code),
    "nested-archives": one("a.zip", SYMBOLS, 10 * MB, lambda n: zipped(
        *(("%x.zip" % i, b"PK\5\6" + bytes(18)) for i in range(n // 130)))),
    "web-tags": web(PAGE, "a.html", "", "<a x>"),
    "web-links": web(MB, "a.html", "", lambda i: '<a href="app://shows/vie%x">' % i),
    "web-long-link": web(PAGE, "a.html", '<a href="app://shows/', "v", '">'),
    "web-based": web(MB * 4 // 5, "a.html", '<base href="%s">' % ("a/" * 500), lambda i: "<img src=a%x.png>" % i),
    "web-sections": web(PAGE, "a.ejs", "", "<%a%>"),
    "web-sheet": web(PAGE, "a.css", "", r"a{b:\\61 url(c d)}("),
    "web-script": web(PAGE, "a.js", "", "({`${/[/]/}` + a[b]"),
    "web-script-names": web(MB * 3 // 5, "a.js", "", lambda i: 'import "./%x";' % i),
} | android.CASES | objects.CASES


def write(folder, files):
    for path, content in files.items():
        place = os.path.join(folder, path)
        os.makedirs(os.path.dirname(place), exist_ok=True)
        with open(place, "wb") as output:
            output.write(content)


def measure(binary, words, folder):
    # What was kept of a case before would hide its cost.
    store = dict(os.environ, NPI_PACK_STORE=os.path.join(folder, "store"))
    # Gigabytes may be printed: what the disk makes of them is not measured.
    process = subprocess.Popen([binary] + words, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=store)
    _, status, used = os.wait4(process.pid, 0)
    memory = used.ru_maxrss / (1 << 20 if sys.platform == "darwin" else 1 << 10)
    return used.ru_utime + used.ru_stime, memory, os.waitstatus_to_exitcode(status)


case, binary, folder = sys.argv[1:]
words, size, content = CASES[case]
TENTHS = 4


def make(size, place):
    # Elsewhere: what this process has in memory would count as that of those that it starts.
    process = os.fork()
    if process == 0:
        write(os.path.join(folder, place), content(size))
        os._exit(0)
    return process


def run(made, place):
    # What a run has left behind is not there for the next one.
    made, place = os.path.join(folder, made), os.path.join(folder, place)
    shutil.copytree(made, place)
    return measure(binary, words, place)


idle = measure(binary, ["--version"], folder)
# Both at once, before anything is measured.
for process in [make(size // 10, "tenth"), make(size, "made")]:
    if os.waitpid(process, 0)[1]:
        sys.exit("the case could not be made")
tenths = [run("tenth", "0 before")]
# What is over in no time is not compared.
more = TENTHS if tenths[0][0] > 0.05 else 0
tenths += [run("tenth", "%d before" % each) for each in range(1, more)]
whole = run("made", "whole")
tenths += [run("tenth", "%d after" % each) for each in range(more)]
seconds, memory, status = zip(*tenths)
for each in (idle, (sum(seconds) / len(seconds), max(memory), min(status)), whole):
    print("%.3f %.1f %d" % each)
