package com.mobilesmith.util;

/**
 * What every barcode goes through.
 *
 * <p>RallyConnector, beside this folder, has a class of the same name that keeps the spaces. An app with both plugins
 * cannot be built: Android's tools refuse a class that is defined twice.
 */
public final class Text {
  private Text() {}

  /** The text without its spaces; an empty one for null. */
  public static String clean(String text) {
    return text == null ? "" : text.replace(" ", "");
  }
}
