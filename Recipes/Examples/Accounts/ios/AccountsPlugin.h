#import <PlatformHub/PlatformHub.h>

/// Knows the balance of the user's accounts.
@interface AccountsPlugin : NSObject <PluginProtocol>
@end
