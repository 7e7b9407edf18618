package com.google.android.gms.maps;

public class MapFragment {}
