// The little of Android that the example uses, so that it compiles with no SDK. A real plugin has the SDK's.
package android.support.v4.app;

import android.os.Bundle;
import android.view.LayoutInflater;
import android.view.View;
import android.view.ViewGroup;

public class Fragment {
  public View onCreateView(LayoutInflater inflater, ViewGroup container, Bundle state) {
    return null;
  }
}
