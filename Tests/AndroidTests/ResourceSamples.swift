import Foundation

/// A `res/` folder that holds every kind of resource, written here so that aapt2 and we can read the same.
enum ResourceSamples {
  static let namespaces = """
    xmlns:android="http://schemas.android.com/apk/res/android" xmlns:tools="http://schemas.android.com/tools" \
    xmlns:app="http://schemas.android.com/apk/res-auto"
    """

  static func values(_ text: String) -> String {
    "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<resources \(namespaces)>\n\(text)\n</resources>\n"
  }

  static func xml(_ name: String) -> String {
    """
    <a \(namespaces) android:id="@+id/\(name)_one" b=" @+id/\(name)_two " app:own="@+id/\(name).three" \
    tools:x="@+id/\(name)_tools" c="@id/\(name)_one" d="@+string/no" e="@+id/" f="?+id/no" g="x @+id/no">@+id/no\
    <b><c z="@+id/deep_\(name)"/></b></a>
    """
  }

  static let text: [String: String] = {
    var files: [String: String] = [:]
    for type in [
      "anim", "animator", "color", "drawable", "font", "interpolator", "layout", "menu", "mipmap", "navigation", "raw",
      "transition", "xml",
    ] {
      files["\(type)/\(type)_file.xml"] = xml("\(type)_id")
      files["\(type)-v26/\(type)_file.xml"] = xml("\(type)_v26")
      files["\(type)/_\(type)2.xml"] = "<a/>"
    }
    for locale in ["es", "fr-rCA", "b+sr+Latn", "land", "night", "sw600dp", "v21", "en-rUS-xhdpi"] {
      let own = locale.filter(\.isLetter).lowercased()
      files["values-\(locale)/strings.xml"] = values(
        "<string name=\"title\">x</string><string name=\"only_\(own)\">x</string>")
    }
    for (name, text) in valueFiles { files["values/\(name).xml"] = values(text) }
    files["raw/notes.v1.txt"] = "text"
    files["raw/broken.xml"] = "not <xml"
    files["raw/no_extension"] = ""
    files["drawable-hdpi/photo.webp"] = "not an image"
    files["drawable-xhdpi/photo.webp"] = "not an image"
    files["font/letters.ttf"] = "not a font"
    files["layout-land/layout_file.xml"] = xml("land")
    files["drawable/.hidden"] = "x"
    files["xml/declared.xml"] = """
      <!DOCTYPE a [<!ELEMENT a (b)> <!-- "b" --> <!ATTLIST a b CDATA #IMPLIED>]><a b="@+id/behind_doctype"/>
      """
    files["layout/system.xml"] = "<a b=\"@+android:id/summary\" c=\"@+id/beside_system\"/>"
    return files
  }()

  static let images: [String: [UInt8]] = [
    "drawable-mdpi/dot.png":
      "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP4z8DwHwAFAAH/VscvDQAAAABJRU5ErkJggg==",
    "drawable-mdpi/nine.9.png":
      "iVBORw0KGgoAAAANSUhEUgAAAAMAAAADCAYAAABWKLW/AAAAFElEQVR42mNggID/DDDGfyQOHAAAW8sD/djHTz4AAAAASUVORK5CYII=",
  ].mapValues { Array(Data(base64Encoded: $0) ?? Data()) }

  static var all: [(path: String, bytes: [UInt8])] {
    (text.mapValues { Array($0.utf8) }.map { ($0, $1) } + images.map { ($0, $1) }).sorted { $0.0 < $1.0 }
  }

  private static let valueFiles: [String: String] = [
    "strings": """
    <string name="title">a <b>bold</b> &amp; <i>it<u>al</u>ic</i></string><string name="dotted.name.x">1</string>
    <string name="dash-name" translatable="false" tools:ignore="all">1</string>
    <string name="ref">@+id/from_string</string><string name="sys">@+android:id/summary</string><string name="p">1</string><string name="p" product="tablet">2</string>
    <string name="_under">1</string><string name=" spaced ">1</string><string name="ünï">1</string>
    <string name="cdata"><![CDATA[<x name="no"/>]]></string>
    """,
    "numbers": """
    <dimen name="d">1dp</dimen><dimen name="d.ref">@+id/from_dimen</dimen><integer name="i">1</integer>
    <bool name="b">true</bool><fraction name="f">5%p</fraction><color name="c">#fff</color>
    <drawable name="dr">#000</drawable>
    """,
    "arrays": """
    <array name="a"><item>1</item><item>@+id/from_array</item></array><array name="none"/>
    <string-array name="sa"><item>x</item></string-array><integer-array name="i.a"><item>1</item></integer-array>
    <string-array name="none2"></string-array>
    """,
    "plurals": """
    <plurals name="songs"><item quantity="one">1</item><item quantity="other">%d</item></plurals>
    <plurals name="p.two"><item quantity="many">@+id/from_plural</item></plurals>
    """,
    "ids": """
    <id name="a"/><id name="a"/><item type="id" name="b.c"/><item type="id" name="e">@+id/other</item><id name="e"/>
    """,
    "items": """
    <item type="string" name="it_string">x</item><item type="dimen" name="it_dimen" format="float">1.5</item>
    <item type="fraction" name="it_fraction">1%</item><item type="bool" name="it_bool">true</item>
    <item type="drawable" name="it_drawable">#fff</item><item type="layout" name="it_layout">@layout/layout_file</item>
    <item type="style" name="it_style"/><item type="array" name="it_array"/><item type="menu" name="it_menu">@null</item>
    <item type="raw" name="it_raw">@null</item><item type="mipmap" name="it_mipmap">@null</item>
    <item type="anim" name="it_anim">@null</item><item type="animator" name="it_animator">@null</item>
    <item type="font" name="it_font">@null</item><item type="interpolator" name="it_interpolator">@null</item>
    <item type="navigation" name="it_navigation">@null</item><item type="transition" name="it_transition">@null</item>
    <item type="xml" name="it_xml">@null</item><item type="color" name="it_color">#123</item>
    <item type="integer" name="it_integer">1</item><layout name="el_layout">@null</layout><xml name="el_xml">@null</xml>
    """,
    "attrs": """
    <attr name="own"/><attr name="plain" format="string"/><attr name="two" format="string|reference"/>
    <attr name="mode"><enum name="m_one" value="1"/><enum name="m.two" value="0x2"/></attr>
    <attr name="mode2"><enum name="m_one" value="3"/></attr><attr name="dot.attr" format="color"/>
    <attr name="bits"><flag name="f_one" value="1"/><flag name="f.two" value="2"/></attr>
    <attr name="both" format="integer"><enum name="b_one" value="1"/></attr>
    <attr name="plain" format="string"/><attr name="limits" format="integer" min="1"/>
    """,
    "styleables": """
    <declare-styleable name="View"><attr name="android:text"/><attr name="own2" format="string"/><attr name="plain"/>
      <attr name="android:color" format="color"/><attr name="kind"><enum name="k_one" value="1"/></attr>
      <attr name="kinds"><flag name="ks_one" value="1"/></attr><eat-comment/>
      <attr name="app:local" format="string"/></declare-styleable>
    <declare-styleable name="Empty"/>
    <declare-styleable name="Dotted.View"><attr name="dot.attr"/><attr name="zz-top" format="dimension"/>
      </declare-styleable>
    <declare-styleable name="View_Layout"><attr name="android:layout_width"/>
      <attr name="android:gravity"><enum name="g_one" value="1"/></attr></declare-styleable>
    <declare-styleable name="Again"><attr name="own2" format="string"/><attr name="own"/></declare-styleable>
    <declare-styleable name="LinkOrText"><attr name="link" format="reference|string"/></declare-styleable>
    <declare-styleable name="OnlyText"><attr name="link" format="string"/></declare-styleable>
    """,
    "styles": """
    <style name="Base"><item name="android:text">@+id/from_style</item><item name="plain">x</item></style>
    <style name="Base.Child"/><style name="Other" parent="Base"/><style name="Theme.X" parent="@android:style/Theme"/>
    <style name="Y" parent="android:Theme"/><style name="NoParent" parent=""/>
    """,
    "public": """
    <public type="string" name="title"/><public type="attr" name="plain"/><public type="string" name="dotted.name.x"/>
    <java-symbol type="string" name="ref"/><symbol type="dimen" name="d"/>
    """,
    "misc": """
    <eat-comment/><skip/><tools:foo name="no"/><android:string name="no"/><!-- <string name="no">x</string> -->
    <overlayable name="O"><policy type="public"><item type="string" name="title"/></policy></overlayable>
    <add-resource type="string" name="added"/>
    """,
  ]
}
