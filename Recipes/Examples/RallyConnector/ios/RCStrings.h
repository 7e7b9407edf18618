#ifndef RC_STRINGS_H
#define RC_STRINGS_H

/// A copy of a text, to be given to free(); NULL for NULL.
///
/// This name has no prefix. As long as RallyConnector is the app's only plugin nobody notices; Scanner, beside this
/// folder, has a function of the same name that does something else.
char *MakeStringCopy(const char *text);

#endif
