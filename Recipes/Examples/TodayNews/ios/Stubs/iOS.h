// The little of iOS and of the MobileFirst library that this example uses, so that it compiles with no SDK. A real
// extension has Apple's headers and the vendor's.
typedef signed char BOOL;
typedef unsigned long NSUInteger;
#define nil 0

__attribute__((objc_root_class))
@interface NSObject
+ (instancetype)alloc;
- (instancetype)init;
@end

@interface NSString : NSObject
@end

@interface NSURL : NSObject
+ (instancetype)URLWithString:(NSString *)text;
@end

@interface NSUserDefaults : NSObject
- (instancetype)initWithSuiteName:(NSString *)name;
- (NSString *)stringForKey:(NSString *)key;
- (void)setObject:(id)value forKey:(NSString *)key;
@end

@interface NSExtensionContext : NSObject
- (void)openURL:(NSURL *)url completionHandler:(void (^)(BOOL))handler;
@end

@interface UIApplication : NSObject
+ (instancetype)sharedApplication;
- (BOOL)openURL:(NSURL *)url;
@end

@interface UILabel : NSObject
@property(nonatomic, copy) NSString *text;
@end

@interface UIViewController : NSObject
@property(nonatomic, readonly) NSExtensionContext *extensionContext;
- (void)viewDidLoad;
@end

typedef enum { NCUpdateResultNewData, NCUpdateResultNoData, NCUpdateResultFailed } NCUpdateResult;

@interface WLClient : NSObject
+ (instancetype)sharedInstance;
- (void)invokeProcedure:(NSString *)name withDelegate:(id)delegate;
@end
