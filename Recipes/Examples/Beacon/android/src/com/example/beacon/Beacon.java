package com.example.beacon;

/** Counts events, up to 64 of them. */
public final class Beacon {
  private static final int[] counts = new int[64];

  private Beacon() {}

  /** Counts an event. Returns how often it was counted before; -1 for a number that is too high. */
  public static synchronized int count(int event) {
    if (event < 0 || event >= counts.length) return -1;
    return counts[event]++;
  }

  /** Forgets all counts. */
  public static synchronized void reset() {
    java.util.Arrays.fill(counts, 0);
  }
}
