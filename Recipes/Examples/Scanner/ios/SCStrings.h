#ifndef SC_STRINGS_H
#define SC_STRINGS_H

/// A copy of a barcode without its spaces, to be given to free(); NULL for NULL.
///
/// RallyConnector, beside this folder, has a function of the same name that keeps the spaces. In an app with both
/// plugins the linker refuses the two, or says nothing and gives both plugins the first: that depends on its flags.
char *MakeStringCopy(const char *text);

#endif
