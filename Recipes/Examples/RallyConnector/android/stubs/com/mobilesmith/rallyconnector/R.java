package com.mobilesmith.rallyconnector;

/**
 * Stands for the class that the app's build makes of R.txt. The fields are not final: javac would copy the value of a
 * constant into the plugin's code, and the ids are known only when the app is built.
 */
public final class R {
  public static final class id {
    public static int rc_help;
    public static int rc_story;
  }

  public static final class layout {
    public static int rc_login;
  }

  public static final class string {
    public static int rc_no_help;
  }

  public static final class styleable {
    public static int[] RCStoryView;
    public static int RCStoryView_android_text;
    public static int RCStoryView_rcShows;
    public static int RCStoryView_rcSize;
  }
}
