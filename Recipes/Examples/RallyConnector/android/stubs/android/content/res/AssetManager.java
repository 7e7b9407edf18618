// The little of Android that the example uses, so that it compiles with no SDK. A real plugin has the SDK's.
package android.content.res;

import java.io.IOException;
import java.io.InputStream;

public final class AssetManager {
  public InputStream open(String name) throws IOException {
    throw new IOException(name);
  }
}
