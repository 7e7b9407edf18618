int bn_count(void) { return 0; }
