// Stands for the host's framework: what a plugin is given, and what it is asked.
#import <Foundation/Foundation.h>

@protocol MessageSender
- (void)sendEvent:(NSString *)name;
@end

@protocol PluginProtocol
- (void)startWithSender:(id<MessageSender>)sender;
- (NSString *)answerQuery:(NSString *)name;
- (void)receiveEvent:(NSString *)name;
@end
