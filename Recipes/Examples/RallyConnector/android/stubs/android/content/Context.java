// The little of Android that the example uses, so that it compiles with no SDK. A real plugin has the SDK's.
package android.content;

import android.content.res.AssetManager;
import android.content.res.TypedArray;
import android.util.AttributeSet;

public abstract class Context {
  public abstract AssetManager getAssets();

  public final TypedArray obtainStyledAttributes(AttributeSet attributes, int[] names) {
    return null;
  }
}
