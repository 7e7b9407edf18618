package com.mobilesmith.rallyconnector.ui;

import android.content.res.AssetManager;
import android.os.Bundle;
import android.support.v4.app.Fragment;
import android.text.Html;
import android.view.LayoutInflater;
import android.view.View;
import android.view.ViewGroup;
import android.widget.TextView;

import com.mobilesmith.rallyconnector.R;
import com.mobilesmith.rallyconnector.Story;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;

/**
 * The plugin's entry: the app makes one when the user opens it, by its name (FragmentClassName in npi.yml), and gives
 * it the values of `config` as its arguments.
 */
public class LoginFragment extends Fragment {
  private static final String HELP = "rc_help.html";

  @Override
  public View onCreateView(LayoutInflater inflater, ViewGroup container, Bundle state) {
    View view = inflater.inflate(R.layout.rc_login, container, false);
    Bundle arguments = getArguments();
    String company = arguments == null ? null : arguments.getString("company_name");
    StoryView story = (StoryView) view.findViewById(R.id.rc_story);
    story.setStory(new Story(company, 3));
    TextView help = (TextView) view.findViewById(R.id.rc_help);
    try {
      help.setText(Html.fromHtml(read(inflater.getContext().getAssets(), HELP)));
    } catch (IOException e) {
      help.setText(R.string.rc_no_help);
    }
    return view;
  }

  private static String read(AssetManager assets, String name) throws IOException {
    InputStream in = assets.open(name);
    try {
      ByteArrayOutputStream text = new ByteArrayOutputStream();
      byte[] part = new byte[4096];
      for (int size = in.read(part); size >= 0; size = in.read(part)) {
        text.write(part, 0, size);
      }
      return text.toString("UTF-8");
    } finally {
      in.close();
    }
  }
}
