#import "iOS.h"

// In place of the vendor's library, which a real extension is linked with: libWorklightStaticLibProject.a.
@implementation WLClient

+ (instancetype)sharedInstance {
  static WLClient *client;
  if (!client) client = [[WLClient alloc] init];
  return client;
}

- (void)invokeProcedure:(NSString *)name withDelegate:(id)delegate {
}

@end
