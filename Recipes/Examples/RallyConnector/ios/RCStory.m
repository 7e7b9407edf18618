#import "RCStory.h"

#include "RCStrings.h"

#include <stdlib.h>

@implementation RCStory

- (instancetype)initWithTitle:(NSString *)title points:(int)points {
  self = [super init];
  if (self) {
    char *text = MakeStringCopy([title UTF8String]);
    _title = text ? [NSString stringWithUTF8String:text] : @"";
    _points = points;
    free(text);
  }
  return self;
}

- (BOOL)isLarge {
  return _points > 8;
}

@end
