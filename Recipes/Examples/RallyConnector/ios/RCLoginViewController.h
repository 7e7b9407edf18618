#import <UIKit/UIKit.h>

/// The plugin's entry: the app makes one when the user opens it, with the values of `config` in npi.yml.
@interface RCLoginViewController : UIViewController

/// Called once when the app starts, before any instance is made.
+ (void)setupWithJSON:(NSDictionary *)json;

- (instancetype)initWithJSON:(NSDictionary *)json;

@end
