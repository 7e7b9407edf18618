// The little of iOS that this example uses, so that it compiles with no SDK. A real extension has Apple's headers.
typedef signed char BOOL;
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

@interface NSURLSessionConfiguration : NSObject
+ (instancetype)backgroundSessionConfigurationWithIdentifier:(NSString *)identifier;
@property(copy) NSString *sharedContainerIdentifier;
@end

@interface NSExtensionContext : NSObject
- (void)completeRequestReturningItems:(id)items completionHandler:(void (^)(BOOL))handler;
- (void)openURL:(NSURL *)url completionHandler:(void (^)(BOOL))handler;
@end

@interface AVCaptureSession : NSObject
- (void)startRunning;
@end

@interface SLComposeServiceViewController : NSObject
@property(readonly) NSExtensionContext *extensionContext;
@end
