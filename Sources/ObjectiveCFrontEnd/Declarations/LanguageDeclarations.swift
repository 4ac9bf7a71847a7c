/// What every Objective-C text takes for granted: the types of C, the macros of the SDK, `NSObject` and the collections.
enum LanguageDeclarations {
    static let text = #"""
    typedef unsigned long size_t; typedef long ssize_t; typedef long ptrdiff_t; typedef __builtin_va_list va_list;
    #define va_start(a, b) __builtin_va_start(a, b)
    #define va_end(a) __builtin_va_end(a)
    #define va_arg(a, t) __builtin_va_arg(a, t)
    #define va_copy(a, b) __builtin_va_copy(a, b)
    #define offsetof(t, m) __builtin_offsetof(t, m)
    typedef signed char int8_t; typedef short int16_t; typedef int int32_t; typedef long long int64_t;
    typedef unsigned char uint8_t; typedef unsigned short uint16_t; typedef unsigned int uint32_t; typedef unsigned long long uint64_t;
    typedef long intptr_t; typedef unsigned long uintptr_t; typedef unsigned char u_char; typedef unsigned int u_int; typedef unsigned int uint;
    typedef unsigned short ushort;
    typedef unsigned char UInt8; typedef signed char SInt8; typedef unsigned short UInt16; typedef short SInt16; typedef unsigned int UInt32;
    typedef int SInt32;
    typedef unsigned long long UInt64; typedef long long SInt64; typedef float Float32; typedef double Float64; typedef int OSStatus;
    typedef unsigned int OSType; typedef unsigned char Boolean;
    typedef long time_t; typedef int pid_t; typedef unsigned int mode_t; typedef long off_t; typedef unsigned int socklen_t;
    typedef struct FILE FILE; typedef unsigned short unichar;
    typedef int dispatch_fd_t;
    #ifndef __cplusplus
    #define bool _Bool
    #define true 1
    #define false 0
    #endif
    #define PRId32 "d"
    #define PRIu32 "u"
    #define PRIx32 "x"
    #define PRIX32 "X"
    #define PRId64 "lld"
    #define PRIi64 "lli"
    #define PRIu64 "llu"
    #define PRIx64 "llx"
    #define PRIX64 "llX"
    #define INT_MAX 2147483647
    #define INT_MIN (-INT_MAX - 1)
    #define UINT_MAX 4294967295U
    #define LONG_MAX 9223372036854775807L
    #define LONG_MIN (-LONG_MAX - 1L)
    #define ULONG_MAX 18446744073709551615UL
    #define INT32_MAX INT_MAX
    #define UINT32_MAX UINT_MAX
    #define INT64_MAX LONG_MAX
    #define UINT64_MAX ULONG_MAX
    #define UINT8_MAX 255
    #define UINT16_MAX 65535
    #define SIZE_MAX ULONG_MAX
    #define FLT_MAX 3.4e38F
    #define FLT_MIN 1.2e-38F
    #define FLT_EPSILON 1.2e-7F
    #define DBL_MAX 1.8e308
    #define DBL_MIN 2.2e-308
    #define DBL_EPSILON 2.2e-16
    #define CGFLOAT_MAX DBL_MAX
    #define CGFLOAT_MIN DBL_MIN
    #define M_PI 3.14159265358979
    #define M_PI_2 1.57079632679490
    #define M_PI_4 0.78539816339745
    #define INFINITY __builtin_inff()
    #define NAN __builtin_nanf("")
    #define TARGET_OS_IPHONE LLHF_ios
    #define TARGET_OS_IOS LLHF_ios
    #define TARGET_OS_MAC 1
    #define TARGET_OS_OSX (!LLHF_ios)
    #define TARGET_OS_TV 0
    #define TARGET_OS_WATCH 0
    #define TARGET_OS_VISION 0
    #define TARGET_OS_MACCATALYST 0
    #define TARGET_OS_UIKITFORMAC 0
    #define TARGET_OS_SIMULATOR 0
    #define TARGET_IPHONE_SIMULATOR 0
    #define TARGET_OS_EMBEDDED LLHF_ios
    #define NSFoundationVersionNumber 1900.0
    #define kCFCoreFoundationVersionNumber 1900.0
    #define NSAppKitVersionNumber 2100.0
    #define __unused
    #define __used
    #define __dead2
    #define __pure2
    #define __deprecated
    #define __deprecated_msg(m)
    #define __deprecated_enum_msg(m)
    #define __unavailable
    #define __printflike(f, a)
    #define __result_use_check
    #define __not_tail_called
    #define DEPRECATED_ATTRIBUTE
    #define DEPRECATED_MSG_ATTRIBUTE(m)
    #define UNAVAILABLE_ATTRIBUTE
    #define OBJC_EXPORT extern
    #define OBJC_EXTERN extern
    #define OBJC_ROOT_CLASS
    #define OBJC_DESIGNATED_INITIALIZER
    #define OBJC_ASSOCIATION_RETAIN_NONATOMIC 1
    #define OBJC_ASSOCIATION_RETAIN 01401
    #define OBJC_ASSOCIATION_ASSIGN 0
    #define OBJC_ASSOCIATION_COPY_NONATOMIC 3
    #define OBJC_ASSOCIATION_COPY 01403
    #define NS_REQUIRES_SUPER __attribute__((objc_requires_super))
    #define NS_DESIGNATED_INITIALIZER
    #define NS_UNAVAILABLE
    #define NS_DEPRECATED(...)
    #define NS_DEPRECATED_IOS(...)
    #define NS_DEPRECATED_MAC(...)
    #define NS_AVAILABLE(...)
    #define NS_AVAILABLE_IOS(...)
    #define NS_AVAILABLE_MAC(...)
    #define NS_CLASS_AVAILABLE(...)
    #define NS_CLASS_AVAILABLE_IOS(...)
    #define NS_CLASS_DEPRECATED_IOS(...)
    #define NS_ENUM_AVAILABLE(...)
    #define NS_ENUM_AVAILABLE_IOS(...)
    #define NS_ENUM_DEPRECATED_IOS(...)
    #define NS_EXTENSION_UNAVAILABLE(...)
    #define NS_EXTENSION_UNAVAILABLE_IOS(...)
    #define API_AVAILABLE(...)
    #define API_UNAVAILABLE(...)
    #define API_DEPRECATED(...)
    #define API_DEPRECATED_WITH_REPLACEMENT(...)
    #define NS_SWIFT_NAME(...)
    #define NS_REFINED_FOR_SWIFT
    #define NS_SWIFT_UNAVAILABLE(...)
    #define NS_SWIFT_NOTHROW
    #define NS_SWIFT_UI_ACTOR
    #define NS_NOESCAPE
    #define NS_RETURNS_RETAINED
    #define NS_RETURNS_NOT_RETAINED
    #define NS_RETURNS_INNER_POINTER
    #define NS_CONSUMED
    #define NS_FORMAT_FUNCTION(...)
    #define NS_FORMAT_ARGUMENT(...)
    #define NS_REQUIRES_NIL_TERMINATION
    #define NS_INLINE static __inline__
    #define NS_VALID_UNTIL_END_OF_SCOPE
    #define NS_ASSUME_NONNULL_BEGIN _Pragma("clang assume_nonnull begin")
    #define NS_ASSUME_NONNULL_END _Pragma("clang assume_nonnull end")
    #define NS_HEADER_AUDIT_BEGIN(...)
    #define NS_HEADER_AUDIT_END(...)
    #define NS_TYPED_ENUM
    #define NS_STRING_ENUM
    #define NS_EXTENSIBLE_STRING_ENUM
    #define NS_TYPED_EXTENSIBLE_ENUM
    #define NS_ROOT_CLASS
    #define NS_AUTOMATED_REFCOUNT_UNAVAILABLE
    #define NS_DEPRECATED_WITH_REPLACEMENT(...)
    #define CF_RETURNS_RETAINED
    #define CF_RETURNS_NOT_RETAINED
    #define CF_EXPORT extern
    #define CF_INLINE static __inline__
    #define CG_EXTERN extern
    #define CG_INLINE static __inline__
    #define UI_APPEARANCE_SELECTOR
    #define UIKIT_EXTERN extern
    #define APPKIT_EXTERN extern
    #define UIKIT_STATIC_INLINE static __inline__
    #define FOUNDATION_EXPORT extern
    #define FOUNDATION_EXTERN extern
    #define FOUNDATION_STATIC_INLINE static __inline__
    #define CF_ENUM(t, n) enum n : t n; enum n : t
    #define NS_ENUM(t, n) enum n : t n; enum n : t
    #define NS_CLOSED_ENUM(t, n) enum n : t n; enum n : t
    #define NS_ERROR_ENUM(d, n) enum n : long n; enum n : long
    #define NS_OPTIONS(t, n) enum n : t n; enum n : t
    #define CF_OPTIONS(t, n) enum n : t n; enum n : t
    #define IBOutlet __attribute__((iboutlet))
    #define IBOutletCollection(c) __attribute__((iboutletcollection(c)))
    #define IBAction void)__attribute__((ibaction)
    #define IBInspectable
    #define IB_DESIGNABLE
    #define YES __objc_yes
    #define NO __objc_no
    #define TRUE __objc_yes
    #define FALSE __objc_no
    #define nil ((id)0)
    #define Nil ((Class)0)
    #define NULL ((void *)0)
    #define NSLocalizedString(k, c) [NSString localizedStringWithFormat:k]
    #define NSLocalizedStringFromTable(k, t, c) [NSString localizedStringWithFormat:k, t]
    #define NSLocalizedStringFromTableInBundle(k, t, b, c) [NSString localizedStringWithFormat:k, t, b]
    #define NSLocalizedStringWithDefaultValue(k, t, b, v, c) [NSString localizedStringWithFormat:k, t, b, v]
    double MIN(double a, double b); double MAX(double a, double b); double ABS(double a);
    #define MIN(a, b) MIN(a, b)
    #define MAX(a, b) MAX(a, b)
    #define ABS(a) ABS(a)
    #define NSAssert(c, ...) ((void)(c), LLAssertionOf(self), (void)(0, ##__VA_ARGS__))
    #define NSCAssert(c, ...) ((void)(c), (void)(0, ##__VA_ARGS__))
    #define NSParameterAssert(c) ((void)(c), LLAssertionOf(self))
    #define NSCParameterAssert(c) ((void)(c))
    #define NSAssert1(c, ...) ((void)(c), LLAssertionOf(self), (void)(0, ##__VA_ARGS__))
    #define NSAssert2(c, ...) ((void)(c), LLAssertionOf(self), (void)(0, ##__VA_ARGS__))
    #define assert(c) ((void)(c))
    #define NSStringFromBOOL(b) @""
    #define NSDictionaryOfVariableBindings(...) LLVariables(@"", __VA_ARGS__, nil)
    #define UI_USER_INTERFACE_IDIOM() ([[UIDevice currentDevice] userInterfaceIdiom])
    #define UIInterfaceOrientationIsPortrait(o) ((o) == 1 || (o) == 2)
    #define UIInterfaceOrientationIsLandscape(o) ((o) == 3 || (o) == 4)
    #define UIDeviceOrientationIsPortrait(o) ((o) == 1 || (o) == 2)
    #define UIDeviceOrientationIsLandscape(o) ((o) == 3 || (o) == 4)
    #define DISPATCH_TIME_NOW 0ull
    #define DISPATCH_TIME_FOREVER (~0ull)
    #define NSEC_PER_SEC 1000000000ull
    #define NSEC_PER_MSEC 1000000ull
    #define USEC_PER_SEC 1000000ull
    #define NSNotFound 0x7fffffffffffffffL
    #define NSIntegerMax 0x7fffffffffffffffL
    #define NSIntegerMin (-NSIntegerMax - 1)
    #define NSUIntegerMax 0xffffffffffffffffUL
    #define weakify(name, ...) autoreleasepool {} __weak __typeof__(name) name##_weak_ = name;
    #define strongify(name, ...) autoreleasepool {} __strong __typeof__(name) name = name##_weak_;
    #define unsafeify(name, ...) autoreleasepool {} __unsafe_unretained __typeof__(name) name##_weak_ = name;
    #define OS_OBJECT_USE_OBJC 1
    #define CF_BRIDGED_TYPE(...)
    #define __has_warning(x) 0

    typedef signed char BOOL; typedef long NSInteger; typedef unsigned long NSUInteger; typedef double CGFloat; typedef double NSTimeInterval;
    typedef double CFTimeInterval; typedef double CFAbsoluteTime;
    typedef struct objc_class *Class; typedef struct objc_object { Class isa; } *id; typedef struct objc_selector *SEL;
    typedef id (*IMP)(id, SEL, ...); typedef struct objc_method *Method; typedef struct objc_ivar *Ivar;
    typedef struct objc_property *objc_property_t; typedef struct _NSZone NSZone;
    typedef struct CGPoint { CGFloat x; CGFloat y; } CGPoint; typedef struct CGSize { CGFloat width; CGFloat height; } CGSize;
    typedef struct CGVector { CGFloat dx; CGFloat dy; } CGVector;
    typedef struct CGRect { CGPoint origin; CGSize size; } CGRect; typedef CGRect NSRect; typedef CGSize NSSize; typedef CGPoint NSPoint;
    typedef CGRect *NSRectPointer; typedef CGPoint *NSPointPointer;
    typedef struct CGAffineTransform { CGFloat a, b, c, d, tx, ty; } CGAffineTransform;
    typedef struct CATransform3D { CGFloat m11, m12, m13, m14, m21, m22, m23, m24, m31, m32, m33, m34, m41, m42, m43, m44; } CATransform3D;
    typedef struct UIEdgeInsets { CGFloat top, left, bottom, right; } UIEdgeInsets;
    typedef struct NSDirectionalEdgeInsets { CGFloat top, leading, bottom, trailing; } NSDirectionalEdgeInsets; typedef UIEdgeInsets NSEdgeInsets;
    typedef struct UIOffset { CGFloat horizontal, vertical; } UIOffset; typedef struct _NSRange { NSUInteger location; NSUInteger length; } NSRange;
    typedef NSRange *NSRangePointer;
    typedef struct CLLocationCoordinate2D { double latitude; double longitude; } CLLocationCoordinate2D;
    typedef struct MKCoordinateSpan { double latitudeDelta; double longitudeDelta; } MKCoordinateSpan;
    typedef struct MKCoordinateRegion { CLLocationCoordinate2D center; MKCoordinateSpan span; } MKCoordinateRegion;
    typedef struct CMTime { long long value; int timescale; unsigned int flags; long long epoch; } CMTime; typedef struct CMTimeRange { CMTime start;
    CMTime duration; } CMTimeRange; typedef struct CFRange { long location; long length; } CFRange;
    typedef unsigned long NSStringEncoding; typedef void (^dispatch_block_t)(void); typedef long dispatch_once_t;
    typedef unsigned long long dispatch_time_t; typedef unsigned int CGMutablePathTag;
    typedef struct NSFastEnumerationState { unsigned long state; id *itemsPtr; unsigned long *mutationsPtr; unsigned long extra[5];
    } NSFastEnumerationState;
    typedef struct NSDecimal { int a[5]; } NSDecimal; typedef NSInteger NSComparisonResult; typedef id (^NSItemProviderLoadHandler)(id);
    typedef NSComparisonResult (^NSComparator)(id, id);
    @class NSString, NSDictionary, NSArray, NSError, NSMethodSignature, NSInvocation, NSSet, NSNumber, NSCoder, NSData, NSURL, LLAny;
    @protocol NSObject
    - (BOOL)isEqual:(id)o; - (BOOL)isKindOfClass:(Class)c; - (BOOL)isMemberOfClass:(Class)c; - (BOOL)respondsToSelector:(SEL)s;
    - (BOOL)conformsToProtocol:(id)p; - (id)self; - (Class)class; - (Class)superclass;
    - (id)performSelector:(SEL)s; - (id)retain; - (oneway void)release; - (id)autorelease; - (NSUInteger)retainCount;
    @property (readonly) NSUInteger hash; @property (readonly, copy) NSString *description; @property (readonly, copy) NSString *debugDescription;
    @end
    @protocol NSCopying @end @protocol NSMutableCopying @end @protocol NSCoding @end @protocol NSSecureCoding @end @protocol NSFastEnumeration @end
    __attribute__((objc_root_class)) @interface NSObject <NSObject> { Class isa; }
    + (void)load; + (void)initialize; - (instancetype)init; + (instancetype)new; + (instancetype)alloc; - (void)dealloc; - (id)copy;
    - (id)mutableCopy; + (Class)class; + (BOOL)instancesRespondToSelector:(SEL)s; - (IMP)methodForSelector:(SEL)s;
    @end
    @interface LLAny : NSObject @end
    @interface NSString : NSObject <NSCopying> + (instancetype)stringWithFormat:(NSString *)f, ...;
    + (instancetype)localizedStringWithFormat:(NSString *)f, ...; - (instancetype)initWithFormat:(NSString *)f, ...;
    + (instancetype)string; + (instancetype)stringWithString:(NSString *)s; - (NSRange)rangeOfString:(NSString *)s;
    - (NSRange)rangeOfString:(NSString *)s options:(NSUInteger)o; - (NSRange)rangeOfCharacterFromSet:(id)s;
    - (BOOL)isEqualToString:(NSString *)s; - (BOOL)hasPrefix:(NSString *)s; - (BOOL)hasSuffix:(NSString *)s; - (BOOL)containsString:(NSString *)s;
    - (NSComparisonResult)compare:(NSString *)s; - (unichar)characterAtIndex:(NSUInteger)i;
    - (NSString *)substringToIndex:(NSUInteger)i; - (NSString *)substringFromIndex:(NSUInteger)i;
    - (NSString *)stringByAppendingString:(NSString *)s; - (NSString *)stringByAppendingFormat:(NSString *)f, ...; - (CGSize)sizeWithFont:(id)f;
    - (CGSize)sizeWithAttributes:(id)a; - (CGRect)boundingRectWithSize:(CGSize)s options:(NSInteger)o attributes:(id)a context:(id)c;
    - (NSRange)lineRangeForRange:(NSRange)r; - (NSRange)rangeOfComposedCharacterSequenceAtIndex:(NSUInteger)i;
    @property (readonly) NSUInteger length; @property (readonly) double doubleValue; @property (readonly) float floatValue;
    @property (readonly) int intValue; @property (readonly) NSInteger integerValue; @property (readonly) long long longLongValue;
    @property (readonly) BOOL boolValue; @property (readonly) const char *UTF8String;
    @property (readonly) NSString *lastPathComponent, *pathExtension, *stringByDeletingLastPathComponent, *stringByDeletingPathExtension,
        *lowercaseString, *uppercaseString, *capitalizedString;
    @end
    @interface NSMutableString : NSString - (void)appendFormat:(NSString *)f, ...; @end
    @interface NSValue : NSObject - (CGRect)CGRectValue; - (CGSize)CGSizeValue; - (CGPoint)CGPointValue; - (UIEdgeInsets)UIEdgeInsetsValue;
    - (NSRange)rangeValue; - (CMTime)CMTimeValue; - (CGRect)rectValue; - (CGPoint)pointValue; - (CGSize)sizeValue;
    - (CGAffineTransform)CGAffineTransformValue;
    @property (readonly) void *pointerValue; @property (readonly) id nonretainedObjectValue; @end
    @interface NSNumber : NSValue + (NSNumber *)numberWithBool:(BOOL)v; + (NSNumber *)numberWithInt:(int)v;
    + (NSNumber *)numberWithUnsignedInt:(unsigned)v; + (NSNumber *)numberWithFloat:(float)v; + (NSNumber *)numberWithDouble:(double)v;
    + (NSNumber *)numberWithInteger:(NSInteger)v;
    + (NSNumber *)numberWithUnsignedInteger:(NSUInteger)v; + (NSNumber *)numberWithLongLong:(long long)v;
    + (NSNumber *)numberWithUnsignedLongLong:(unsigned long long)v; + (NSNumber *)numberWithLong:(long)v; + (NSNumber *)numberWithChar:(char)v;
    + (NSNumber *)numberWithUnsignedLong:(unsigned long)v; + (NSNumber *)numberWithShort:(short)v;
    + (NSNumber *)numberWithUnsignedChar:(unsigned char)v; + (NSNumber *)numberWithUnsignedShort:(unsigned short)v;
    @property (readonly) BOOL boolValue; @property (readonly) int intValue; @property (readonly) unsigned int unsignedIntValue;
    @property (readonly) float floatValue; @property (readonly) double doubleValue; @property (readonly) NSInteger integerValue;
    @property (readonly) NSUInteger unsignedIntegerValue;
    @property (readonly) long longValue; @property (readonly) long long longLongValue; @property (readonly) unsigned long long unsignedLongLongValue;
    @property (readonly) char charValue; @property (readonly, copy) NSString *stringValue; @end
    @interface NSArray<__covariant O> : NSObject <NSCopying, NSFastEnumeration> + (instancetype)array;
    + (instancetype)arrayWithObjects:(const O [])o count:(NSUInteger)c; - (O)objectAtIndex:(NSUInteger)i;
    - (O)objectAtIndexedSubscript:(NSUInteger)i;
    - (BOOL)containsObject:(O)o; - (NSUInteger)indexOfObject:(O)o; - (void)enumerateObjectsUsingBlock:(void (^)(O obj, NSUInteger idx, BOOL *stop))b;
    @property (readonly) NSUInteger count; @property (readonly) O firstObject, lastObject; @end
    @interface NSMutableArray<O> : NSArray<O> - (void)addObject:(O)o; - (void)removeObject:(O)o; - (void)removeAllObjects;
    - (void)setObject:(O)o atIndexedSubscript:(NSUInteger)i; @end
    @interface NSDictionary<__covariant K, __covariant V> : NSObject <NSCopying, NSFastEnumeration>
    + (instancetype)dictionaryWithObjects:(const V [])o forKeys:(const K <NSCopying> [])k count:(NSUInteger)c; - (V)objectForKey:(K)k;
    - (V)objectForKeyedSubscript:(K)k;
    - (void)enumerateKeysAndObjectsUsingBlock:(void (^)(K key, V obj, BOOL *stop))b; @property (readonly) NSUInteger count;
    @property (readonly) NSArray<K> *allKeys; @property (readonly) NSArray<V> *allValues; @end
    @interface NSMutableDictionary<K, V> : NSDictionary<K, V> - (void)setObject:(V)o forKey:(K)k; - (void)setObject:(V)o forKeyedSubscript:(K)k;
    - (void)removeObjectForKey:(K)k; - (void)removeAllObjects; @end
    @interface NSSet<__covariant O> : NSObject <NSCopying, NSFastEnumeration> - (BOOL)containsObject:(O)o; - (O)anyObject;
    @property (readonly) NSUInteger count; @property (readonly) NSArray<O> *allObjects; @end
    @interface NSMutableSet<O> : NSSet<O> - (void)addObject:(O)o; - (void)removeObject:(O)o; @end
    @interface NSOrderedSet<O> : NSObject <NSFastEnumeration> @property (readonly) NSUInteger count; @property (readonly) O firstObject, lastObject;
    @property (readonly) NSArray<O> *array; @end @interface NSMutableOrderedSet<O> : NSOrderedSet<O> @end
    @interface NSCountedSet<O> : NSMutableSet<O> @end
    @interface NSEnumerator<O> : NSObject <NSFastEnumeration> - (O)nextObject; @property (readonly) NSArray<O> *allObjects; @end
    @interface NSHashTable<O> : NSObject <NSFastEnumeration> @property (readonly) NSUInteger count; @property (readonly) NSArray<O> *allObjects;
    @property (readonly) O anyObject; @end
    @interface NSMapTable<K, V> : NSObject <NSFastEnumeration> - (V)objectForKey:(K)k; @property (readonly) NSUInteger count; @end
    @interface NSCache<K, V> : NSObject - (V)objectForKey:(K)k; @end
    @interface NSFetchRequest<O> : NSObject @end @interface NSFetchedResultsController<O> : NSObject @property (readonly) NSArray<O> *fetchedObjects;
    @end
    @interface NSData : NSObject <NSCopying> @property (readonly) NSUInteger length; @property (readonly) const void *bytes; @end
    @interface NSMutableData : NSData @property (readonly) void *mutableBytes; @end
    #define RCT_EXTERN_MODULE(n, s) n (LLExtern)
    #define RCT_EXTERN_REMAP_MODULE(j, n, s) n (LLExtern)
    #ifndef RAC
    #define RAC(t, ...) LLBinding(t)[0]
    #endif
    #define RCT_EXPORT_METHOD(m) - (void)m __attribute__((annotate("bridge_method")))
    #define RCT_REMAP_METHOD(n, m) - (void)m __attribute__((annotate("bridge_method")))
    #define RCT_EXPORT_BLOCKING_SYNCHRONOUS_METHOD(m) - (id)m __attribute__((annotate("bridge_method")))
    #define RCT_EXTERN_METHOD(...)
    #define RCT_EXTERN_REMAP_METHOD(...)
    #define RCT_EXPORT_VIEW_PROPERTY(...)
    #define RCT_REMAP_VIEW_PROPERTY(...)
    #define RCT_CUSTOM_VIEW_PROPERTY(n, t, v) - (void)set_##n:(id)json forView:(v *)view withDefaultView:(v *)defaultView
    @interface Protocol : NSObject @end @interface NSProxy <NSObject> @end
    @interface NSMethodSignature : NSObject @property (readonly) NSUInteger numberOfArguments; @end
    @interface NSInvocation : NSObject @property SEL selector; @property (assign) id target; @end
    void NSLog(NSString *f, ...); id LLVariables(NSString *f, ...); void LLAssertionOf(id o); __strong id *LLBinding(id t); NSString *NSStringFromClass(Class c); NSString *NSStringFromSelector(SEL s);
    SEL NSSelectorFromString(NSString *s); Class NSClassFromString(NSString *s); Class objc_getClass(const char *n);
    SEL sel_registerName(const char *n); id objc_getAssociatedObject(id o, const void *k);
    void objc_setAssociatedObject(id o, const void *k, id v, unsigned long p); Class object_getClass(id o); NSString *NSStringFromCGRect(CGRect r);
    NSString *NSStringFromProtocol(id p);
    NSString *NSHomeDirectory(void); NSString *NSTemporaryDirectory(void);
    NSArray *NSSearchPathForDirectoriesInDomains(NSUInteger d, NSUInteger m, BOOL e);
    """#
}
