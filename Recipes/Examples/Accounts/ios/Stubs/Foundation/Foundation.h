// The little of Foundation that the example uses, so that it compiles with no SDK. A real plugin has Apple's.
typedef signed char BOOL;
#define nil ((id)0)

@interface NSObject {
  Class isa;
}
+ (instancetype)alloc;
- (instancetype)init;
@end

@interface NSString : NSObject
@end
