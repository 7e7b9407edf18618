#import "AccountsPlugin.h"

@implementation AccountsPlugin {
  id<MessageSender> _sender;
  long _cents;
}

- (void)startWithSender:(id<MessageSender>)sender {
  _sender = sender;
}

- (NSString *)answerQuery:(NSString *)name {
  return _cents ? name : nil;
}

- (void)receiveEvent:(NSString *)name {
  _cents += 1;
  [_sender sendEvent:name];
}

@end
