#import "iOS.h"

/// Shows the latest headline, and opens the app at a tap.
@interface TodayViewController : UIViewController
@property(nonatomic, strong) UILabel *label;
@end

@implementation TodayViewController

/// What the app and the extension share.
- (NSUserDefaults *)shared {
  return [[NSUserDefaults alloc] initWithSuiteName:@"group.com.example.starter"];
}

- (void)viewDidLoad {
  [super viewDidLoad];
  NSString *latest = [self.shared stringForKey:@"latestNews"];
  if (latest) self.label.text = latest;
}

- (void)widgetPerformUpdateWithCompletionHandler:(void (^)(NCUpdateResult))handler {
  [[WLClient sharedInstance] invokeProcedure:@"headlines" withDelegate:self];
  handler(NCUpdateResultNewData);
}

- (void)tap {
  [self.extensionContext openURL:[NSURL URLWithString:@"starter://news"] completionHandler:nil];
}

@end
