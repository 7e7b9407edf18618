"""Worst cases of what is in AARs and jars, and of what is merged when they are embedded."""
from making import *

BUILD, CHECK, LINT = ["build"], ["check"], ["lint"]
HOME = {"AndroidManifest.xml": MANIFEST.replace("a.b", "c.d").encode() + b"<application/></manifest>", "classes/A.txt": b""}


def embedding(aars):
    """A plugin with AARs to embed."""
    text = ("name: A\nversion: 1\ndeliverables:\n"
            "  a: { kind: aar, manifest: AndroidManifest.xml, classes: classes, embed: [%s] }\n" % ", ".join(aars))
    return HOME | {"npi.yml": text.encode()} | aars


def aar(*entries, package="a.b", manifest="</manifest>"):
    return zipped(("AndroidManifest.xml", MANIFEST.replace("a.b", package) + manifest), *entries)


def table(size, head, part, tail=""):
    """An AAR with an R.txt."""
    return embedding({"a.aar": aar(("R.txt", fill(size, head, part, tail)))})


def values(size, head, part, tail="", file="values", count=1):
    """AARs with one file of resources each, which say the same and have the size together."""
    content = fill(size // count, "<resources>" + head, part, tail + "</resources>")
    return embedding({"%d.aar" % number: aar(("R.txt", b""), ("res/values/%s.xml" % file, content), package="a.b%d" % number)
                      for number in range(count)})


def merged(size, head, part, tail="", count=2):
    """AARs with manifests that have the size together. The part may name the AAR, as @, to tell them apart."""
    manifest = fill(size // count, head, part, tail + "</manifest>").decode()
    return embedding({"%d.aar" % number: aar(("R.txt", b""), package="a.b%d" % number,
                                           manifest=manifest.replace("@", str(number)))
                      for number in range(count)})


def libraries(size, part, each):
    """An AAR with as many jars as there is room for."""
    return aar(("classes.jar", archive(0, part)), *(
        ("libs/%x.jar" % number, archive(each, part)) for number in range(size // (each + 300))))


SERVICE = '<service android:name="%08x"/>'
# Most manifests: 100,000 elements, of which each has about 30 bytes.
MERGED = 6 * MB

CASES = {
    "rtext-names": (BUILD, 10 * MB, lambda n: table(n, "", lambda i: "int id a%x 0x1\n" % i)),
    "rtext-ids": (BUILD, 10 * MB, lambda n: table(n, "int[] styleable a {", "0,", "0}\n")),
    "rtext-nested-names": (BUILD, 10 * MB, lambda n: table(
        n // 2, "".join("int[] styleable %s {}\n" % ("_" * i) for i in range(1, int(n ** 0.5))),
        "int styleable %s 0\n" % ("_" * int(n ** 0.5) + "x"))),
    "values-names": (BUILD, 10 * MB, lambda n: values(n, "", lambda i: '<item type="id" name="a%x"/>' % i)),
    "values-mistakes": (BUILD, 10 * MB, lambda n: values(n, "", "<b                 />", file="v" * 4000)),
    "values-formats": (BUILD, 10 * MB, lambda n: values(n, '<attr name="a" format="b"/>', '<attr name="a" format="c"/>')),
    "values-enums": (BUILD, 10 * MB, lambda n: values(
        n, '<attr name="a">', lambda i: '<enum name="a%x" value="%d"/>' % (i, i), "</attr>")),
    # Not more names than caches hold: what a miss costs grows, too.
    "values-twice": (BUILD, 5 * MB, lambda n: values(n, "", lambda i: '<string name="a%x"/>' % i, count=2)),
    "values-products": (BUILD, 5 * MB, lambda n: values(n, "", lambda i: '<string name="a" product="p%x"/>' % i)),
    "values-files": (BUILD, 10 * MB, lambda n: embedding({"a.aar": aar(("R.txt", b""), *(
        ("res/values/v%d.xml" % i, b'<resources><string name="a%d">a</string></resources>' % i)
        for i in range(n // 250)))})),
    "merge-elements": (BUILD, MERGED, lambda n: merged(n, "<application>", lambda i: SERVICE % i, "</application>")),
    "merge-attributes": (BUILD, 10 * MB, lambda n: merged(
        n, "<application ", lambda i: 'android:a%d="%s" ' % (i, "b" * (n // 15000)), "/>")),
    "merge-flags": (BUILD, 10 * MB, lambda n: merged(
        n, '<application><service android:name="a" android:foregroundServiceType="', lambda i: "@%x|" % i,
        '"/></application>')),
    "merge-replace": (BUILD, 10 * MB, lambda n: merged(
        n, '<application xmlns:tools="http://schemas.android.com/tools" tools:replace="', lambda i: "android:%x," % i, '"/>')),
    "merge-conflicts": (BUILD, MERGED, lambda n: merged(
        n, "<application>", lambda i: '<service android:label="@" android:name="%08x"/>' % i, "</application>")),
    "merge-authorities": (BUILD, 10 * MB, lambda n: merged(
        n // 2, '<application><provider android:name="%s@" android:authorities="' % ("n" * (n // 4)), lambda i: "%x;" % i,
        '"/></application>')),
    "merge-depth": (BUILD, MERGED, lambda n: merged(
        n, "<a>" * 200, lambda i: '<other android:name="%08x"/>' % i, "</a>" * 200)),
    "merge-prefixes": (BUILD, 3 * MB, lambda n: merged(
        n, "", lambda i: '<b xmlns:p%x="%x" p%x:a=""/>' % (i % 250, i, i % 250) if i < 1900 else '<b   i="%08x"></b>' % i)),
    "merge-filters": (BUILD, 5 * MB, lambda n: merged(
        n, '<application><service android:name="a">',
        lambda i: '<intent-filter><action android:name="%x"/></intent-filter>' % i, "</service></application>")),
    "jar-classes": one("a.jar", CHECK, 10 * MB, lambda n: archive(n, lambda i: b"%x.class" % i)),
    "jar-one-class": one("a.jar", CHECK, 10 * MB, lambda n: archive(n, lambda i: b"a.class")),
    "jars": one("a.aar", CHECK, 10 * MB, lambda n: libraries(n, lambda i: b"%x.class" % i, 100)),
    "lint-jars": one("a.aar", LINT, 10 * MB, lambda n: libraries(n, lambda i: b"%x.class" % i, 100)),
    "build-jars": (BUILD, 10 * MB, lambda n: embedding({"a.aar": libraries(n, lambda i: b"%x.class" % i, 100)})),
}
