package com.mobilesmith.rallyconnector;

import com.mobilesmith.util.Text;

/** A user story with its estimate. */
public final class Story {
  private final String title;
  private final int points;

  public Story(String title, int points) {
    this.title = Text.clean(title);
    this.points = points;
  }

  public String getTitle() {
    return title;
  }

  public int getPoints() {
    return points;
  }

  public boolean isLarge() {
    return points > 8;
  }
}
