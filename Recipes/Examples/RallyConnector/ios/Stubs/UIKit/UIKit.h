// The little of UIKit that the examples use, so that they compile with no SDK. A real plugin has Apple's.
#import <Foundation/Foundation.h>

@interface UIResponder : NSObject
@end

@interface UIViewController : UIResponder
@property(nonatomic, copy) NSString *title;
- (instancetype)initWithNibName:(NSString *)name bundle:(NSBundle *)bundle;
- (void)viewDidLoad;
@end
