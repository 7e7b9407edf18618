"""Seeds for the targets of this folder: one small file for each thing that a reader knows."""
import io, os, plistlib, sys, zipfile, zlib

home = sys.argv[1]


def seed(target, name, data):
    os.makedirs(os.path.join(home, target), exist_ok=True)
    with open(os.path.join(home, target, name), "wb") as file:
        file.write(data if isinstance(data, bytes) else data.encode())


values = {"text": "plain", "u": "Dé\U0001F600", "yes": True, "no": False, "n": 7, "big": 2**40, "minus": -3,
          "list": ["a", 1], "map": {"a": "b"}, "real": 1.5, "data": b"xyz"}
framework = {"AvailableLibraries": [{"LibraryIdentifier": "ios", "LibraryPath": "a.a", "SupportedPlatform": "ios",
                                     "SupportedArchitectures": ["arm64"]}]}
for name, value in (("values", values), ("framework", framework)):
    for form in ("XML", "BINARY"):
        seed("plist", f"{name}-{form}", plistlib.dumps(value, fmt=getattr(plistlib, "FMT_" + form)))
seed("plist", "utf16", '<plist><dict><key>a</key><true/></dict></plist>'.encode("utf-16"))

android = 'xmlns:android="http://schemas.android.com/apk/res/android"'
seed("xml", "manifest", f"""<?xml version="1.0" encoding="utf-8"?><!-- a -->
<manifest {android} xmlns:tools="http://schemas.android.com/tools" package="a.b"><uses-sdk android:minSdkVersion="21"/>
<application tools:replace="android:label" android:label="&lt;x&#65;"><![CDATA[y]]></application></manifest>""")
seed("xml", "values", """<resources xmlns:x="urn:x"><string name="a">b</string><attr name="c" format="enum">
<enum name="d" value="0x1"/></attr><declare-styleable name="S"><attr name="c"/><attr name="android:text"/>
<attr name="own" format="string"/></declare-styleable><item type="id" name="i"/><public type="string" name="a"/>
<style name="T.U"><item name="x">@+id/y</item></style><x:ignored/></resources>""")
seed("xml", "layout", f'<View {android} android:id="@+id/a" xmlns="urn:d"><b xmlns=""/><?p q?></View>')
seed("xml", "doctype", "<!DOCTYPE a SYSTEM 'b' [<!ELEMENT a (b|c)*><!ATTLIST a b CDATA #IMPLIED>]><a b='1'>é</a>")
for encoding in ("utf-16-le", "utf-16-be", "latin-1"):
    seed("xml", encoding, "<?xml version='1.0' encoding='%s'?><resources a='é'><attr name='b' format='c'/></resources>"
         .replace("%s", "ISO-8859-1" if encoding == "latin-1" else "UTF-16").encode(encoding))

project = """// !$*UTF8*$!
{ objects = { P = { isa = PBXProject; buildConfigurationList = C; targets = (T, ); }; /* a */
T = { isa = PBXNativeTarget; name = "A \\"b\\" \\U00e9"; productType = "com.apple.product-type.library.static"; productReference = R; };
R = { path = libA.a; }; C = { buildConfigurations = (D); }; D = { name = Release; buildSettings = { SDKROOT = iphoneos; x = <0f>; }; };
}; rootObject = P; }"""
seed("openstep", "project", project)
for number, text in enumerate((
        '{"name": "@a/b", "version": "1.0"}', "name: a\nversion: 1.0.0+1\n", '<plugin id="a.b" version="1.0"><name>a</name></plugin>',
        "<extension><id>a.b</id><versionNumber>1.0</versionNumber></extension>", "moduleid: a.b\nversion: 1.0\n",
        "Pod::Spec.new do |s|\n  s.name = 'A'\n  s.version = \"1.#{x}\"\nend\n", '{"name": "A", "version": "1.0"}', project,
        "plugins { id 'com.android.library' }\nversion = '1.0'\n", "rootProject.name = 'a'\ninclude ':sdk'\n",
        "VERSION_NAME=1.0\nPOM_ARTIFACT_ID=a\n", '<manifest package="a.b"/>',
        "<plist><dict><key>AvailableLibraries</key><array/></dict></plist>", "!<arch>\n")):
    seed("tree", str(number), bytes([number]) + text.encode())

seed("web", "page", """<%= a %><!-- b --><base href="x/"><img src='a&amp;b&#65;' srcset="a 1x, b 2x"><style>p { b: url(c) }</style>
<script>i.src = "c" + d</script><p style="a: url(b)" onclick="location = 'app://x'"><% include('y') %>""")
seed("web", "sheet", "@import url('a'); /* b */ @font-face { src: url(c\\ d) image-set('e' 1x) } @namespace 'f'; p::before { x: '\\61' }")
seed("web", "script", "import a from './b'; `x${ {y: /[/]'/g} }z`; if (a) /b/.c; i.src = 'd\\u{65}'; f({g: 1}) / 2 // h")

seed("manifest", "npi", """name: A
version: 1.4.0
extends: [mobilesmith, "b"]
config: { a: b, "c": 'd', e: null }   # f
steps:
  library:
    shell: |
      make -C ios
    inputs: &i [ios/**/*.m]
    outputs: [build/a.a]
  other: { kind: universal-library, inputs: *i, output: >-
      b }
rules:
  unprefixed-class: { level: warning, prefix: RC }
""")
seed("manifest", "json", '{"a": {"b": [1, -2.5e3, true, null, "x\\n\\u00e9\\ud83d\\ude00"]}, "c": ""}')

seed("depfile", "gcc", "build/a.o: ios/a.m ios/a\\ b.h \\\n /usr/include/string.h\nios/a\\ b.h:\n")
seed("depfile", "odd", "a b: c$$d \\#e f\\\\ g # h\r\nc:\\x y:z\n")


def archive(*entries, comment=b"", prefix=b""):
    file = io.BytesIO()
    file.write(prefix)
    with zipfile.ZipFile(file, "a" if prefix else "w") as z:
        for name, data, mode, method in entries:
            info = zipfile.ZipInfo(name)
            info.create_system, info.external_attr, info.compress_type = 3, mode << 16, method
            z.writestr(info, data)
        z.comment = comment
    return file.getvalue()


text = b"content " * 9
plain = [("a/b/c", text, 0o100644, 8), ("a/", b"", 0o40755, 0), ("A", text, 0o100755, 0), ("a/l", b"../b", 0o120777, 0)]
seed("zip", "plain", archive(*plain))
seed("zip", "odd", archive(*plain, ("a/b/c", b"", 0o100644, 0), ("\u00e9/../x", b"y", 0, 0), comment=b"c", prefix=b"#!"))
seed("zip", "wide", archive(("a", b"x", 0, 0)).replace(b"PK\5\6", b"PK\6\6" + bytes(52) + b"PK\6\7" + bytes(16) + b"PK\5\6"))
for level in (0, 6):
    for strategy in (zlib.Z_DEFAULT_STRATEGY, zlib.Z_FIXED):
        packer = zlib.compressobj(level, zlib.DEFLATED, -15, strategy=strategy)
        seed("zip", f"deflate-{level}-{strategy}", packer.compress(text + bytes(range(256))) + packer.flush())
