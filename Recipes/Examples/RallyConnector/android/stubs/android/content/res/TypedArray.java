// The little of Android that the example uses, so that it compiles with no SDK. A real plugin has the SDK's.
package android.content.res;

public class TypedArray {
  public String getString(int index) {
    return null;
  }

  public int getInt(int index, int otherwise) {
    return otherwise;
  }

  public void recycle() {}
}
