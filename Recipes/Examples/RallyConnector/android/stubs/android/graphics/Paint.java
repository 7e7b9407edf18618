// The little of Android that the example uses, so that it compiles with no SDK. A real plugin has the SDK's.
package android.graphics;

public class Paint {
  public float getTextSize() {
    return 0;
  }

  public void setTextSize(float size) {}
}
