package com.mobilesmith.scanner.ui;

import android.support.v4.app.Fragment;

import com.google.android.gms.maps.MapFragment;
import com.squareup.picasso.Picasso;

public abstract class ScanFragment extends Fragment {
  MapFragment map = new MapFragment();

  abstract void show(Picasso picture);
}
