#import "RCLoginViewController.h"

#import "RCStory.h"

/// Where the stories come from; set when the app starts.
static NSString *RCServer;

@implementation RCLoginViewController {
  NSString *_company;
  RCStory *_story;
}

+ (void)setupWithJSON:(NSDictionary *)json {
  RCServer = [json objectForKey:@"rally_url"];
}

- (instancetype)initWithJSON:(NSDictionary *)json {
  NSString *path = [[NSBundle mainBundle] pathForResource:@"RallyConnector" ofType:@"bundle"];
  self = [super initWithNibName:@"RCLoginView" bundle:[NSBundle bundleWithPath:path]];
  if (self) {
    _company = [json objectForKey:@"company_name"];
    _story = [[RCStory alloc] initWithTitle:_company points:3];
  }
  return self;
}

- (void)viewDidLoad {
  [super viewDidLoad];
  self.title = _story.isLarge ? _company : _story.title;
}

@end
