/// What definitions of one name are compared in.
enum DefinitionSamples {
  /// Definitions in C, each compiled as it is and, by `-D`, with one thing changed.
  static let pieces: [(name: String, text: String)] = [
    (
      "greet",
      "#ifdef CHANGE_greet\n#define T \"hallo\"\n#else\n#define T \"hello\"\n#endif\nconst char *greet(void) { return T; }"
    ),
    (
      "callee",
      "#ifdef CHANGE_callee\n#define E ext2\n#else\n#define E ext\n#endif\nint callee(int x) { return E(x) + 1; }"
    ),
    ("tail", "#ifdef CHANGE_tail\n#define L ext2\n#else\n#define L ext\n#endif\nint tail(int x) { return L(x); }"),
    (
      "number",
      "#ifdef CHANGE_number\n#define N 100001\n#else\n#define N 100000\n#endif\nint number(int x) { return x ^ N; }"
    ),
    (
      "real",
      "#ifdef CHANGE_real\n#define R 3.14159\n#else\n#define R 3.14158\n#endif\ndouble real(double x) { return x * R; }"
    ),
    (
      "outside",
      "#ifdef CHANGE_outside\n#define G gvar2\n#else\n#define G gvar\n#endif\nint outside(void) { return G; }"
    ),
    (
      "helped",
      """
      #ifdef CHANGE_helped
      #define H 5
      #else
      #define H 6
      #endif
      static int counter = 7;
      static __attribute__((noinline)) int helper(int x) { counter += x; return ext(x) ^ H; }
      int helped(int x) { return helper(x + 3) + counter; }
      """
    ),
    (
      "choose",
      """
      #ifdef CHANGE_choose
      #define C 9
      #else
      #define C 8
      #endif
      int choose(int x) { switch (x) { case 0: return ext(3); case 1: return gvar; case 2: return ext(C) - 1;
        case 3: return 12; case 4: return gvar * ext(2); case 5: return ext2(1) + 9; } return x + 1; }
      """
    ),
    (
      "around",
      """
      #ifdef CHANGE_around
      #define A ext2
      #else
      #define A ext
      #endif
      static int odd(int x);
      static __attribute__((noinline)) int even(int x) { return x == 0 ? A(1) : odd(x - 1) + 1; }
      static __attribute__((noinline)) int odd(int x) { return x == 0 ? ext(2) : even(x - 1) + 2; }
      int around(int x) { return even(x) * 3; }
      """
    ),
    ("table", "#ifdef CHANGE_table\n#define B 4\n#else\n#define B 3\n#endif\nint table[3] = {1, 2, B};"),
    (
      "pointer",
      """
      #ifdef CHANGE_pointer
      #define P 2
      #else
      #define P 1
      #endif
      static int pointed(int x) { return x + P; }
      int (*pointer[2])(int) = {pointed, ext};
      """
    ),
    (
      "texts",
      "#ifdef CHANGE_texts\n#define S \"c\"\n#else\n#define S \"b\"\n#endif\nconst char *const texts[] = {\"a\", S, \"hello\"};"
    ),
    (
      "inner",
      "#ifdef CHANGE_inner\n#define I 2\n#else\n#define I 1\n#endif\nextern int block[8];\nint *inner[2] = {block + I, block};"
    ),
    ("small", "#ifdef CHANGE_small\n#define M \"abd\"\n#else\n#define M \"abc\"\n#endif\nconst char small[] = M;"),
    ("zeros", "#ifdef CHANGE_zeros\n#define Z 400\n#else\n#define Z 40\n#endif\nint zeros[Z];"),
    (
      "own",
      """
      #ifdef CHANGE_own
      #define O 2
      #else
      #define O 1
      #endif
      static int owned[4] = {1, 2, 3, 4};
      int own(int x) { owned[O] += x; return owned[3]; }
      """
    ),
  ]

  static let head = "extern int ext(int); extern int ext2(int); extern int gvar; extern int gvar2;\n"
  static let junk = """
    static long seed = 5;
    const char *junk(int x) { seed += x; return x ? "other" : "text"; }
    double half(double x) { return x * 2.5; }
    char byte = 1; const char tiny[] = "xy"; static char bits[3]; char *use(void) { return bits; } int more = 8;
    int first(int x) { return ext2(gvar2 + x) + gvar; }

    """

  /// What C++ has beside functions and data; with `-DMOVED` other things come before.
  static let cplusplus = #"""
    #ifdef MOVED
    extern "C" int z(int); int pre(int x){ switch(x){case 1:return z(1);case 2:return 4;case 3:return z(9);case 9: return 77;} return 5;} float fl(float a){return a*1.25f;}
    #endif
    struct B { virtual ~B(); virtual int f(int) = 0; };
    struct D : B { int f(int) override; int v[4]; static int count; };
    int D::count = 4;
    extern "C" int outside(int); extern "C" void* memcpy(void*, const void*, unsigned long);
    B::~B() {}
    int D::f(int x) { try { if (x > 3) throw x; return outside(x) + v[x & 3]; } catch (int y) { return y + count; } }
    template <class T> struct V { T a[8]; T get(int i) { return a[i] * T(3); } };
    template struct V<int>; template struct V<double>;
    static const struct { const char *n; int (*g)(int); } tab[] = {{"one", outside}, {"two", 0}};
    int look(int i) { return tab[i].n[0]; }
    #if __has_feature(cxx_thread_local)
    thread_local int tl = 5; int usetl() { return ++tl; }
    #endif
    int arr[64]; struct P { P(); int q; }; P gp; static P hp; int useP() { return hp.q + gp.q; }
    unsigned long long big(unsigned long long x) { return x * 0x123456789abcdefULL; }
    double vec(double *d) { double s = 0; for (int i = 0; i < 64; i++) s += d[i] * 1.5; return s; }
    """#
}
