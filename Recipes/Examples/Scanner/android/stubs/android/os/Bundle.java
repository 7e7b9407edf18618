// The little of Android that the example uses, so that it compiles with no SDK. A real plugin has the SDK's.
package android.os;

public final class Bundle {}
