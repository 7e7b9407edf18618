// The little of Android that the example uses, so that it compiles with no SDK. A real plugin has the SDK's.
package android.graphics;

public class Canvas {
  public void drawText(String text, float x, float y, Paint paint) {}
}
