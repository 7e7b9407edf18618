package com.mobilesmith.rallyconnector.ui;

import android.content.Context;
import android.content.res.TypedArray;
import android.graphics.Canvas;
import android.graphics.Paint;
import android.util.AttributeSet;
import android.view.View;

import com.mobilesmith.rallyconnector.R;
import com.mobilesmith.rallyconnector.Story;

/** One story, drawn. Its attributes are declared in res/values/rc_attrs.xml. */
public class StoryView extends View {
  /** The values of the flags of rcShows, and of the enum rcSize. */
  private static final int SHOWS_TITLE = 1;
  private static final int SHOWS_POINTS = 2;
  private static final int SIZE_SMALL = 0;

  private final Paint paint = new Paint();
  private final int shows;
  private String text;

  public StoryView(Context context, AttributeSet attributes) {
    super(context, attributes);
    TypedArray values = context.obtainStyledAttributes(attributes, R.styleable.RCStoryView);
    try {
      text = values.getString(R.styleable.RCStoryView_android_text);
      shows = values.getInt(R.styleable.RCStoryView_rcShows, SHOWS_TITLE);
      int size = values.getInt(R.styleable.RCStoryView_rcSize, SIZE_SMALL);
      paint.setTextSize(size == SIZE_SMALL ? 14 : 22);
    } finally {
      values.recycle();
    }
  }

  public void setStory(Story story) {
    StringBuilder words = new StringBuilder();
    if ((shows & SHOWS_TITLE) != 0) {
      words.append(story.getTitle());
    }
    if ((shows & SHOWS_POINTS) != 0) {
      words.append(" (").append(story.getPoints()).append(story.isLarge() ? "!)" : ")");
    }
    text = words.toString();
    invalidate();
  }

  @Override
  protected void onDraw(Canvas canvas) {
    super.onDraw(canvas);
    if (text != null) {
      canvas.drawText(text, 0, paint.getTextSize(), paint);
    }
  }
}
