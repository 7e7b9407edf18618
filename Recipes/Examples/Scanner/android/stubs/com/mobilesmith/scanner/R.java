package com.mobilesmith.scanner;

/**
 * Stands for the class that the app's build makes of R.txt. The fields are not final: javac would copy the value of a
 * constant into the plugin's code, and the ids are known only when the app is built.
 */
public final class R {
  public static final class string {
    public static int sc_hint;
  }
}
