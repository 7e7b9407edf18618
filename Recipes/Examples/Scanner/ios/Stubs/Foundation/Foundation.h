// The little of Foundation that the examples use, so that they compile with no SDK. A real plugin has Apple's.
#include <stdbool.h>
#include <stddef.h>

typedef signed char BOOL;
#define nil ((id)0)

@interface NSObject {
  Class isa;
}
+ (instancetype)alloc;
- (instancetype)init;
@end

@interface NSString : NSObject
+ (instancetype)stringWithUTF8String:(const char *)text;
- (const char *)UTF8String;
@end

@interface NSDictionary : NSObject
- (id)objectForKey:(id)key;
@end

@interface NSBundle : NSObject
+ (NSBundle *)mainBundle;
+ (NSBundle *)bundleWithPath:(NSString *)path;
- (NSString *)pathForResource:(NSString *)name ofType:(NSString *)extension;
@end
