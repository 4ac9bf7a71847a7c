/// What of UIKit, AppKit and Core Graphics has a size, a number or a structure for its type: everything else may be taken for an object.
enum UserInterfaceDeclarations {
    /// Stands after the classes.
    static let text = #"""
    #ifdef __cplusplus
    struct LLValue { template<class T> operator T() const; };
    #endif
    @interface NSObject (LLScalars)
    @property CGRect frame, bounds, visibleRect, contentRect, contentsRect, safeArea, applicationFrame, nativeBounds, documentVisibleRect,
        visibleMapRect, statusBarFrame, textContainerRect; @property CGPoint center, position, anchorPoint, contentOffset, locationInWindow;
    @property CGSize contentSize, itemSize, estimatedItemSize, headerReferenceSize, footerReferenceSize, intrinsicContentSize,
        preferredContentSize, shadowOffset, minimumSize, maxSize, minSize, fittingSize, contentViewSize, presentationSize, naturalSize,
        contentSizeForViewInPopover, minItemSize, cellSize, intercellSpacing;
    @property CGAffineTransform transform, currentTransform, affineTransform; @property CATransform3D sublayerTransform;
    @property UIEdgeInsets contentInset, scrollIndicatorInsets, layoutMargins, safeAreaInsets, adjustedContentInset, separatorInset,
        sectionInset, titleEdgeInsets, imageEdgeInsets, contentEdgeInsets, textContainerInset, capInsets, alignmentRectInsets;
    @property CGFloat alpha, alphaValue, opacity, zoomScale, minimumZoomScale, maximumZoomScale, cornerRadius, borderWidth, shadowRadius,
        lineWidth, constant, rowHeight, estimatedRowHeight, sectionHeaderHeight, sectionFooterHeight, minimumLineSpacing,
        minimumInteritemSpacing, preferredMaxLayoutWidth, scale, spacing, pointSize, lineHeight, ascender, descender, leading, capHeight,
        width, height, minimumScaleFactor, minimumFontSize, brightness, zPosition, lineFragmentPadding, backingScaleFactor, rotation, velocity,
        minimumValue, maximumValue, indentationWidth, nativeScale;
    @property NSTimeInterval duration, timeInterval, animationDuration, timeIntervalSince1970, timeIntervalSinceNow,
        timeIntervalSinceReferenceDate, timestamp, currentPlaybackTime, playableDuration, timeoutInterval, minimumPressDuration, beginTime,
        timeOffset, systemUptime, currentTime; @property float progress, value, rate, volume, hue, speed, repeatCount, doubleValue, floatValue;
    @property NSRange selectedRange, range; @property (readonly) CMTime currentItemTime;
    @property (getter=isHidden) BOOL hidden; @property (getter=isOpaque) BOOL opaque; @property (getter=isEnabled) BOOL enabled;
    @property (getter=isSelected) BOOL selected; @property (getter=isHighlighted) BOOL highlighted; @property (getter=isEditing) BOOL editing;
    @property (getter=isUserInteractionEnabled) BOOL userInteractionEnabled; @property (getter=isScrollEnabled) BOOL scrollEnabled;
    @property (getter=isPagingEnabled) BOOL pagingEnabled; @property (getter=isDragging, readonly) BOOL dragging;
    @property (getter=isTracking, readonly) BOOL tracking; @property (getter=isDecelerating, readonly) BOOL decelerating;
    @property (getter=isZooming, readonly) BOOL zooming; @property (getter=isAnimating, readonly) BOOL animating;
    @property (getter=isExecuting, readonly) BOOL executing; @property (getter=isFinished, readonly) BOOL finished;
    @property (getter=isCancelled, readonly) BOOL cancelled; @property (getter=isViewLoaded, readonly) BOOL viewLoaded;
    @property (getter=isWindowLoaded, readonly) BOOL windowLoaded;
    @property (getter=isBeingDismissed, readonly) BOOL beingDismissed;
    @property (getter=isBeingPresented, readonly) BOOL beingPresented;
    @property (getter=isMovingFromParentViewController, readonly) BOOL movingFromParentViewController;
    @property (getter=isMovingToParentViewController, readonly) BOOL movingToParentViewController;
    @property (getter=isNavigationBarHidden) BOOL navigationBarHidden; @property (getter=isToolbarHidden) BOOL toolbarHidden;
    @property (getter=isTranslucent) BOOL translucent; @property (getter=isOn) BOOL on; @property (getter=isSecureTextEntry) BOOL secureTextEntry;
    @property (getter=isEditable) BOOL editable; @property (getter=isSelectable) BOOL selectable; @property (getter=isValid, readonly) BOOL valid;
    @property (getter=isPaused) BOOL paused; @property (getter=isContinuous) BOOL continuous;
    @property (getter=isKeyWindow, readonly) BOOL keyWindow; @property (getter=isFirstResponder, readonly) BOOL firstResponder;
    @property (getter=isActive) BOOL active; @property (getter=isIdleTimerDisabled) BOOL idleTimerDisabled;
    @property (getter=isStatusBarHidden) BOOL statusBarHidden;
    @property (getter=isNetworkActivityIndicatorVisible) BOOL networkActivityIndicatorVisible;
    @property BOOL clipsToBounds, translatesAutoresizingMaskIntoConstraints, autoresizesSubviews, wantsLayer, masksToBounds, shouldRasterize,
        bounces, alwaysBounceVertical, alwaysBounceHorizontal, showsVerticalScrollIndicator, showsHorizontalScrollIndicator, scrollsToTop,
        delaysContentTouches, canCancelContentTouches, allowsSelection, allowsMultipleSelection, cancelsTouchesInView, delaysTouchesBegan,
        delaysTouchesEnded, hidesBottomBarWhenPushed, modalInPopover, definesPresentationContext, automaticallyAdjustsScrollViewInsets,
        wantsFullScreenLayout, adjustsFontSizeToFitWidth, becomeFirstResponder, canBecomeFirstResponder, shouldAutorotate,
        prefersStatusBarHidden, hidesBackButton, hidesWhenStopped, clearsContextBeforeDrawing, canGoBack, canGoForward, loading, playing,
        needsDisplay, needsLayout, usesLazyFetching, releasedWhenClosed, hasShadow, ignoresMouseEvents, movableByWindowBackground,
        extendedLayoutIncludesOpaqueBars, removedOnCompletion, autoreverses, multipleTouchEnabled, exclusiveTouch, boolValue,
        isHiddenOrHasHiddenAncestor;
    @property NSInteger tag, row, section, item, contentMode, autoresizingMask, textAlignment, lineBreakMode, numberOfLines, keyboardType,
        returnKeyType, borderStyle, selectionStyle, accessoryType, editingStyle, state, style, barStyle, statusBarStyle,
        modalPresentationStyle, modalTransitionStyle, interfaceOrientation, orientation, statusBarOrientation, userInterfaceIdiom,
        numberOfTouches, numberOfTouchesRequired, numberOfTapsRequired, currentPage, numberOfPages, selectedSegmentIndex, selectedIndex,
        integerValue, code, statusCode, type, status, direction, scrollDirection, separatorStyle, autocapitalizationType, autocorrectionType,
        keyboardAppearance, spellCheckingType, clearButtonMode, leftViewMode, rightViewMode, buttonType, actionSheetStyle, cancelButtonIndex,
        destructiveButtonIndex, firstOtherButtonIndex, numberOfButtons, alertViewStyle, controlState, controlEvents,
        userInterfaceLayoutDirection, layoutDirection, horizontalSizeClass, verticalSizeClass, userInterfaceStyle, applicationState,
        clickCount, selectedRow, numberOfRows, numberOfColumns, numberOfItems, integerCount, minimumNumberOfTouches, maximumNumberOfTouches,
        tapCount, edgesForExtendedLayout, autoresizing, activityIndicatorViewStyle, alignment, distribution, axis, barPosition,
        systemVersionNumber, maxConcurrentOperationCount, networkStatus, proposedCredentialCount, playbackState, loadState, movieSourceType,
        controlStyle, scalingMode, actionAtItemEnd, supportedInterfaceOrientations, preferredInterfaceOrientationForPresentation,
        preferredStatusBarStyle;
    @property NSUInteger length, count, modifierFlags, hashValue, styleMask, options, accessibilityTraits; @property float priority;
    @property unsigned short keyCode; @property SEL action, doubleAction, selector; @property (assign) id target;
    @property struct CGColor *CGColor, *shadowColor, *borderColor; @property struct CGPath *CGPath, *shadowPath; @property struct CGImage *CGImage;
    @property struct CGContext *CGContext;
    - (CGSize)sizeThatFits:(CGSize)s; - (CGSize)systemLayoutSizeFittingSize:(CGSize)s; - (CGRect)convertRect:(CGRect)r toView:(id)v;
    - (CGRect)convertRect:(CGRect)r fromView:(id)v; - (CGPoint)convertPoint:(CGPoint)p toView:(id)v;
    - (CGPoint)convertPoint:(CGPoint)p fromView:(id)v;
    - (CGPoint)convertPoint:(CGPoint)p toLayer:(id)v; - (CGPoint)locationInView:(id)v; - (CGPoint)translationInView:(id)v;
    - (CGPoint)velocityInView:(id)v; - (CGPoint)previousLocationInView:(id)v; - (CGRect)rectForRowAtIndexPath:(id)p;
    - (CGRect)rectForSection:(NSInteger)s; - (CGRect)textRectForBounds:(CGRect)b limitedToNumberOfLines:(NSInteger)n;
    - (CGRect)firstRectForRange:(id)r; - (CGRect)caretRectForPosition:(id)p; - (CGRect)rectOfRow:(NSInteger)r;
    - (CGRect)usedRectForTextContainer:(id)c; - (CGRect)convertRectToScreen:(CGRect)r; - (CGRect)convertRectFromScreen:(CGRect)r;
    - (CGPoint)convertPointFromScreen:(CGPoint)p; - (CGSize)collectionViewContentSize; - (CGSize)cellSizeForBounds:(CGRect)r;
    - (CGRect)frameRectForContentRect:(CGRect)r; - (CGRect)contentRectForFrameRect:(CGRect)r;
    - (CGRect)lineFragmentRectForGlyphAtIndex:(NSUInteger)i effectiveRange:(NSRange *)r;
    - (NSRange)rangeOfData:(id)d options:(NSUInteger)o range:(NSRange)r; - (NSRange)rangeAtIndex:(NSUInteger)i;
    - (NSRange)glyphRangeForCharacterRange:(NSRange)r actualCharacterRange:(NSRange *)a; - (NSRange)rowsInRect:(CGRect)r;
    - (CMTime)currentTimeOfItem; - (CGSize)contentCompressionSize; - (CGPoint)targetContentOffsetForProposedContentOffset:(CGPoint)p;
    - (NSTimeInterval)timeIntervalSinceDate:(id)d; - (CLLocationCoordinate2D)coordinate; - (CGSize)size; - (CGPoint)origin;
    - (MKCoordinateRegion)region; - (CGSize)maximumSize; - (CGRect)boundsRect; - (CMTime)convertTime:(CMTime)t toTimebase:(id)b;
    - (CGRect)boundingRectForGlyphRange:(NSRange)r inTextContainer:(id)c; - (CGSize)sizeForItemAtIndexPath:(id)p;
    - (CGSize)preferredLayoutSizeFittingSize:(CGSize)s;
    @end
    @interface LLAny (LLSubscripts) - (LLAny *)objectAtIndexedSubscript:(NSUInteger)i; - (LLAny *)objectForKeyedSubscript:(id)k;
    - (void)setObject:(id)o atIndexedSubscript:(NSUInteger)i; - (void)setObject:(id)o forKeyedSubscript:(id)k; @end
    #define LL_SUBSCRIPTS(c) @interface c (LLSubscripts) - (LLAny *)objectAtIndexedSubscript:(NSUInteger)i; - (LLAny *)objectForKeyedSubscript:(id)k; - (void)setObject:(id)o forKeyedSubscript:(id)k; @end
    LL_SUBSCRIPTS(NSUserDefaults) LL_SUBSCRIPTS(NSOrderedSet) LL_SUBSCRIPTS(NSMapTable) LL_SUBSCRIPTS(NSCache)
    @interface UIImage (LLSize) @property (readonly) CGSize size; @end @interface NSImage (LLSize) @property CGSize size; @end
    @interface NSUserDefaults (LLDefaults) - (NSInteger)integerForKey:(NSString *)k; - (BOOL)boolForKey:(NSString *)k;
    - (float)floatForKey:(NSString *)k; - (double)doubleForKey:(NSString *)k; - (BOOL)synchronize; @end
    @interface UIDevice (LLDevice) @property (readonly) NSString *systemVersion, *model, *name; - (NSInteger)userInterfaceIdiom; @end
    CGRect CGRectMake(CGFloat x, CGFloat y, CGFloat w, CGFloat h); CGSize CGSizeMake(CGFloat w, CGFloat h);
    CGPoint CGPointMake(CGFloat x, CGFloat y); CGVector CGVectorMake(CGFloat x, CGFloat y); NSRange NSMakeRange(NSUInteger l, NSUInteger n);
    UIEdgeInsets UIEdgeInsetsMake(CGFloat t, CGFloat l, CGFloat b, CGFloat r); UIOffset UIOffsetMake(CGFloat h, CGFloat v);
    CGFloat CGRectGetWidth(CGRect r); CGFloat CGRectGetHeight(CGRect r); CGFloat CGRectGetMinX(CGRect r); CGFloat CGRectGetMinY(CGRect r);
    CGFloat CGRectGetMaxX(CGRect r); CGFloat CGRectGetMaxY(CGRect r); CGFloat CGRectGetMidX(CGRect r); CGFloat CGRectGetMidY(CGRect r);
    CGRect CGRectInset(CGRect r, CGFloat x, CGFloat y); CGRect CGRectOffset(CGRect r, CGFloat x, CGFloat y);
    CGRect CGRectIntegral(CGRect r); CGRect CGRectIntersection(CGRect a, CGRect b); CGRect CGRectUnion(CGRect a, CGRect b);
    CGRect CGRectStandardize(CGRect r); CGRect UIEdgeInsetsInsetRect(CGRect r, UIEdgeInsets i); BOOL CGRectEqualToRect(CGRect a, CGRect b);
    BOOL CGSizeEqualToSize(CGSize a, CGSize b); BOOL CGPointEqualToPoint(CGPoint a, CGPoint b); BOOL CGRectContainsPoint(CGRect r, CGPoint p);
    BOOL CGRectContainsRect(CGRect a, CGRect b);
    BOOL CGRectIntersectsRect(CGRect a, CGRect b); BOOL CGRectIsEmpty(CGRect r); BOOL CGRectIsNull(CGRect r); BOOL CGRectIsInfinite(CGRect r);
    BOOL UIEdgeInsetsEqualToEdgeInsets(UIEdgeInsets a, UIEdgeInsets b); BOOL NSEqualRanges(NSRange a, NSRange b);
    BOOL NSLocationInRange(NSUInteger l, NSRange r); NSUInteger NSMaxRange(NSRange r); NSRange NSIntersectionRange(NSRange a, NSRange b);
    NSRange NSUnionRange(NSRange a, NSRange b);
    CGRect NSMakeRect(CGFloat x, CGFloat y, CGFloat w, CGFloat h); CGSize NSMakeSize(CGFloat w, CGFloat h);
    CGPoint NSMakePoint(CGFloat x, CGFloat y); CGFloat NSWidth(CGRect r); CGFloat NSHeight(CGRect r); CGFloat NSMinX(CGRect r);
    CGFloat NSMinY(CGRect r); CGFloat NSMaxX(CGRect r); CGFloat NSMaxY(CGRect r); CGFloat NSMidX(CGRect r); CGFloat NSMidY(CGRect r);
    CGRect NSInsetRect(CGRect r, CGFloat x, CGFloat y);
    CGRect NSOffsetRect(CGRect r, CGFloat x, CGFloat y); CGRect NSIntersectionRect(CGRect a, CGRect b); CGRect NSUnionRect(CGRect a, CGRect b);
    CGRect NSIntegralRect(CGRect r); BOOL NSEqualRects(CGRect a, CGRect b); BOOL NSPointInRect(CGPoint p, CGRect r);
    BOOL NSEqualSizes(CGSize a, CGSize b); BOOL NSEqualPoints(CGPoint a, CGPoint b); BOOL NSIsEmptyRect(CGRect r);
    CGRect CGRectApplyAffineTransform(CGRect r, CGAffineTransform t); CGPoint CGPointApplyAffineTransform(CGPoint p, CGAffineTransform t);
    CGAffineTransform CGAffineTransformMakeRotation(CGFloat a); CGAffineTransform CGAffineTransformMakeScale(CGFloat x, CGFloat y);
    CGAffineTransform CGAffineTransformMakeTranslation(CGFloat x, CGFloat y);
    CGAffineTransform CGAffineTransformMake(CGFloat a, CGFloat b, CGFloat c, CGFloat d, CGFloat x, CGFloat y);
    CGAffineTransform CGAffineTransformConcat(CGAffineTransform a, CGAffineTransform b);
    CGAffineTransform CGAffineTransformRotate(CGAffineTransform t, CGFloat a);
    CGAffineTransform CGAffineTransformScale(CGAffineTransform t, CGFloat x, CGFloat y);
    CGAffineTransform CGAffineTransformTranslate(CGAffineTransform t, CGFloat x, CGFloat y);
    CGAffineTransform CGAffineTransformInvert(CGAffineTransform t); BOOL CGAffineTransformIsIdentity(CGAffineTransform t);
    BOOL CGAffineTransformEqualToTransform(CGAffineTransform a, CGAffineTransform b);
    CATransform3D CATransform3DMakeScale(CGFloat x, CGFloat y, CGFloat z);
    CATransform3D CATransform3DMakeRotation(CGFloat a, CGFloat x, CGFloat y, CGFloat z);
    CATransform3D CATransform3DMakeTranslation(CGFloat x, CGFloat y, CGFloat z);
    CATransform3D CATransform3DRotate(CATransform3D t, CGFloat a, CGFloat x, CGFloat y, CGFloat z);
    CATransform3D CATransform3DTranslate(CATransform3D t, CGFloat x, CGFloat y, CGFloat z);
    CATransform3D CATransform3DScale(CATransform3D t, CGFloat x, CGFloat y, CGFloat z);
    CATransform3D CATransform3DMakeAffineTransform(CGAffineTransform t); CATransform3D CATransform3DConcat(CATransform3D a, CATransform3D b);
    extern const CGRect CGRectZero, CGRectNull, CGRectInfinite, NSZeroRect; extern const CGSize CGSizeZero, NSZeroSize;
    extern const CGPoint CGPointZero, NSZeroPoint; extern const UIEdgeInsets UIEdgeInsetsZero; extern const UIOffset UIOffsetZero;
    extern const CGAffineTransform CGAffineTransformIdentity; extern const CATransform3D CATransform3DIdentity;
    extern const CMTime kCMTimeZero, kCMTimeInvalid, kCMTimeIndefinite, kCMTimePositiveInfinity;
    extern const NSTimeInterval UIApplicationBackgroundFetchIntervalMinimum; extern const CGFloat UITableViewAutomaticDimension;
    extern const CGSize UILayoutFittingCompressedSize, UILayoutFittingExpandedSize, UICollectionViewFlowLayoutAutomaticSize;
    CMTime CMTimeMake(long long v, int t); CMTime CMTimeMakeWithSeconds(double s, int t); double CMTimeGetSeconds(CMTime t);
    CMTime CMTimeAdd(CMTime a, CMTime b); CMTime CMTimeSubtract(CMTime a, CMTime b); CMTimeRange CMTimeRangeMake(CMTime a, CMTime b);
    int CMTimeCompare(CMTime a, CMTime b); CLLocationCoordinate2D CLLocationCoordinate2DMake(double a, double b);
    MKCoordinateRegion MKCoordinateRegionMakeWithDistance(CLLocationCoordinate2D c, double a, double b);
    MKCoordinateRegion MKCoordinateRegionMake(CLLocationCoordinate2D c, MKCoordinateSpan s);
    MKCoordinateSpan MKCoordinateSpanMake(double a, double b);
    typedef struct CGColor *CGColorRef; typedef struct CGPath *CGPathRef; typedef struct CGPath *CGMutablePathRef;
    typedef struct CGImage *CGImageRef; typedef struct CGContext *CGContextRef; typedef struct CGColorSpace *CGColorSpaceRef;
    typedef struct CGGradient *CGGradientRef; typedef struct CGFont *CGFontRef; typedef struct CGLayer *CGLayerRef;
    typedef struct CGDataProvider *CGDataProviderRef; typedef struct CGEvent *CGEventRef; typedef const void *CFTypeRef;
    typedef const struct __CFString *CFStringRef; typedef const struct __CFDictionary *CFDictionaryRef;
    typedef struct __CFDictionary *CFMutableDictionaryRef; typedef const struct __CFArray *CFArrayRef; typedef struct __CFArray *CFMutableArrayRef;
    typedef const struct __CFData *CFDataRef; typedef const struct __CFURL *CFURLRef; typedef struct __CFError *CFErrorRef;
    typedef const struct __CFAllocator *CFAllocatorRef; typedef struct __CFRunLoop *CFRunLoopRef;
    typedef struct __CFRunLoopSource *CFRunLoopSourceRef; typedef const struct __CFUUID *CFUUIDRef; typedef const struct __CFNumber *CFNumberRef;
    typedef const struct __CFBoolean *CFBooleanRef; typedef struct opaqueCMSampleBuffer *CMSampleBufferRef;
    typedef struct __CVBuffer *CVPixelBufferRef, *CVImageBufferRef, *CVBufferRef; typedef const struct __SecTrust *SecTrustRef;
    typedef const struct __SCNetworkReachability *SCNetworkReachabilityRef; typedef unsigned int SCNetworkReachabilityFlags; typedef long CFIndex;
    typedef unsigned int SystemSoundID; typedef unsigned short CGGlyph; typedef unsigned int UIBackgroundTaskIdentifierRaw;
    typedef unsigned int CFStringEncoding; typedef unsigned int CGWindowLevel;
    extern const CFAllocatorRef kCFAllocatorDefault; CFTypeRef CFRetain(CFTypeRef v); void CFRelease(CFTypeRef v); id CFBridgingRelease(CFTypeRef v);
    CFTypeRef CFBridgingRetain(id v); CGContextRef UIGraphicsGetCurrentContext(void); id UIGraphicsGetImageFromCurrentImageContext(void);
    CGColorSpaceRef CGColorSpaceCreateDeviceRGB(void); CGMutablePathRef CGPathCreateMutable(void);
    CGImageRef CGBitmapContextCreateImage(CGContextRef c); CGRect CGContextGetClipBoundingBox(CGContextRef c);
    CGRect CGPathGetBoundingBox(CGPathRef p); CGImageRef CGImageCreateWithImageInRect(CGImageRef i, CGRect r);
    unsigned long CGImageGetWidth(CGImageRef i); unsigned long CGImageGetHeight(CGImageRef i); CFRunLoopRef CFRunLoopGetMain(void);
    CFRunLoopRef CFRunLoopGetCurrent(void);
    @protocol OS_dispatch_object <NSObject> @end
    typedef NSObject<OS_dispatch_object> *dispatch_queue_t, *dispatch_group_t, *dispatch_semaphore_t, *dispatch_source_t, *dispatch_data_t,
        *dispatch_object_t, *dispatch_queue_attr_t, *dispatch_io_t; typedef const struct dispatch_source_type_s *dispatch_source_type_t;
    dispatch_queue_t dispatch_get_main_queue(void); dispatch_queue_t dispatch_get_global_queue(long p, unsigned long f);
    dispatch_queue_t dispatch_queue_create(const char *l, dispatch_queue_attr_t a); dispatch_time_t dispatch_time(dispatch_time_t t, long long d);
    dispatch_time_t dispatch_walltime(const void *t, long long d); void dispatch_async(dispatch_queue_t q, dispatch_block_t b);
    void dispatch_sync(dispatch_queue_t q, dispatch_block_t b); void dispatch_after(dispatch_time_t t, dispatch_queue_t q, dispatch_block_t b);
    void dispatch_once(dispatch_once_t *o, dispatch_block_t b); void dispatch_barrier_async(dispatch_queue_t q, dispatch_block_t b);
    void dispatch_barrier_sync(dispatch_queue_t q, dispatch_block_t b);
    void dispatch_group_async(dispatch_group_t g, dispatch_queue_t q, dispatch_block_t b);
    void dispatch_group_notify(dispatch_group_t g, dispatch_queue_t q, dispatch_block_t b); dispatch_group_t dispatch_group_create(void);
    dispatch_semaphore_t dispatch_semaphore_create(long v);
    dispatch_source_t dispatch_source_create(dispatch_source_type_t t, unsigned long h, unsigned long m, dispatch_queue_t q);
    void dispatch_source_set_event_handler(dispatch_source_t s, dispatch_block_t b); void dispatch_source_cancel(dispatch_source_t s);
    void dispatch_resume(id o); void dispatch_suspend(id o); void dispatch_apply(size_t n, dispatch_queue_t q, void (^b)(size_t));
    void dispatch_set_target_queue(id o, dispatch_queue_t q); long dispatch_semaphore_wait(dispatch_semaphore_t s, dispatch_time_t t);
    void *dispatch_get_specific(const void *k);
    #define DISPATCH_QUEUE_SERIAL ((dispatch_queue_attr_t)0)
    #define DISPATCH_QUEUE_CONCURRENT ((dispatch_queue_attr_t)0)
    #define DISPATCH_QUEUE_PRIORITY_DEFAULT 0
    #define DISPATCH_QUEUE_PRIORITY_HIGH 2
    #define DISPATCH_QUEUE_PRIORITY_LOW (-2)
    #define DISPATCH_QUEUE_PRIORITY_BACKGROUND (-32768)
    """#
}
