package com.mobilesmith.scanner.ui;

import android.os.Bundle;
import android.support.v4.app.Fragment;
import android.view.LayoutInflater;
import android.view.View;
import android.view.ViewGroup;
import android.widget.TextView;

import com.mobilesmith.scanner.R;
import com.mobilesmith.util.Text;

/** The plugin's entry: shows what the camera reads. */
public class ScanFragment extends Fragment {
  private TextView code;

  @Override
  public View onCreateView(LayoutInflater inflater, ViewGroup container, Bundle state) {
    code = new TextView(inflater.getContext());
    code.setText(R.string.sc_hint);
    return code;
  }

  /** Takes a code as the camera gave it. */
  public void onCodeRead(String text) {
    code.setText(Text.clean(text));
  }
}
