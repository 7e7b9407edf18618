#import <UIKit/UIKit.h>

/// The plugin's entry: shows what the camera reads.
@interface SCScanViewController : UIViewController

- (instancetype)initWithJSON:(NSDictionary *)json;

/// Takes a code as the camera gave it.
- (void)didReadCode:(NSString *)code;

@end
