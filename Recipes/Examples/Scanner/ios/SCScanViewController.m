#import "SCScanViewController.h"

#include "SCStrings.h"

#include <stdlib.h>

@implementation SCScanViewController {
  NSString *_formats;
}

- (instancetype)initWithJSON:(NSDictionary *)json {
  self = [super initWithNibName:nil bundle:nil];
  if (self) {
    _formats = [json objectForKey:@"formats"];
  }
  return self;
}

- (void)viewDidLoad {
  [super viewDidLoad];
  self.title = _formats;
}

- (void)didReadCode:(NSString *)code {
  char *digits = MakeStringCopy([code UTF8String]);
  if (digits) self.title = [NSString stringWithUTF8String:digits];
  free(digits);
}

@end
