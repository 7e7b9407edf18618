package com.squareup.picasso;

public class Picasso {}
