// The little of Android that the example uses, so that it compiles with no SDK. A real plugin has the SDK's.
package android.widget;

import android.content.Context;
import android.view.View;

public class TextView extends View {
  public TextView(Context context) {
    super(context);
  }

  public final void setText(CharSequence text) {}

  public final void setText(int resource) {}
}
