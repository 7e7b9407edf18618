#import "Stubs.h"

// With what a share extension cannot do.
@interface SNShareViewController : SLComposeServiceViewController
@end

@implementation SNShareViewController

- (void)didSelectPost {
  [NSURLSessionConfiguration backgroundSessionConfigurationWithIdentifier:@"com.example.notes.upload"];
  [self.extensionContext openURL:[NSURL URLWithString:@"notes://shared"] completionHandler:nil];
}

- (void)didSelectCamera {
  [[[AVCaptureSession alloc] init] startRunning];
}

@end
