#import "iOS.h"

// With what an extension cannot do.
@interface TodayViewController : UIViewController
@end

@implementation TodayViewController

- (void)viewDidLoad {
  [super viewDidLoad];
  [[[NSUserDefaults alloc] initWithSuiteName:@"group.com.example.starters"] stringForKey:@"latestNews"];
}

- (void)tap {
  [self.extensionContext openURL:[NSURL URLWithString:@"startr://news"] completionHandler:nil];
}

- (void)openApp {
  [[UIApplication sharedApplication] openURL:[NSURL URLWithString:@"https://news.example.com"]];
}

@end
