package com.mobilesmith.util;

/**
 * What every text goes through.
 *
 * <p>This package is not the plugin's own. As long as RallyConnector is the app's only plugin nobody notices; Scanner,
 * beside this folder, has a class of the same name whose method does something else.
 */
public final class Text {
  private Text() {}

  /** The text as it is; an empty one for null. */
  public static String clean(String text) {
    return text == null ? "" : text;
  }
}
