__attribute__((objc_root_class)) @interface HubAppPlugin
@end

@implementation HubAppPlugin
@end
