#import <Foundation/Foundation.h>

/// A user story with its estimate.
@interface RCStory : NSObject

@property(nonatomic, readonly, copy) NSString *title;
@property(nonatomic, readonly) int points;
@property(nonatomic, readonly) BOOL isLarge;

- (instancetype)initWithTitle:(NSString *)title points:(int)points;

@end
