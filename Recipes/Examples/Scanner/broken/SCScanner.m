#import <UIKit/UIKit.h>

@interface UISplitViewController : UIViewController
@end

@interface CLLocationManager : NSObject
@end

int sqlite3_open(const char *name, void **database);
void GSEventRegisterEventCallBack(void (*callback)(void *));

/// The host makes one by its name, and shows it: it is nothing that can be shown.
@interface SCScanner : NSObject
@end

@implementation SCScanner

- (instancetype)initWithJSON:(NSDictionary *)json {
  void *database;
  sqlite3_open("codes", &database);
  GSEventRegisterEventCallBack(0);
  CLLocationManager *place = [[CLLocationManager alloc] init];
  UISplitViewController *views = place ? [[UISplitViewController alloc] init] : nil;
  return views ? self : nil;
}

@end

/// Another plugin may have a helper of this name.
@interface Helper : NSObject
@end

@implementation Helper
@end

/// The host is linked with zbar.
int zbar_parse_config(void) {
  return 0;
}
