// The little of Android that the example uses, so that it compiles with no SDK. A real plugin has the SDK's.
package android.view;

import android.content.Context;
import android.graphics.Canvas;
import android.util.AttributeSet;

public class View {
  public View(Context context, AttributeSet attributes) {}

  public final View findViewById(int id) {
    return null;
  }

  public void invalidate() {}

  protected void onDraw(Canvas canvas) {}
}
