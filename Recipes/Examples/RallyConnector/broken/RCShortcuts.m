#import <UIKit/UIKit.h>

// What the Objective-C runtime declares.
struct objc_method *class_getInstanceMethod(Class, SEL);
void method_exchangeImplementations(struct objc_method *, struct objc_method *);

/// Every view controller of the app tells its name: the host's, and other plugins', too.
@implementation UIViewController (Shortcuts)

- (void)tellName {
  [self tellName];
}

+ (void)load {
  method_exchangeImplementations(
      class_getInstanceMethod(self, @selector(viewDidLoad)), class_getInstanceMethod(self, @selector(tellName)));
}

@end
