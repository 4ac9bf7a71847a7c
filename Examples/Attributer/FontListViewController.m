#import "FontListViewController.h"
#import "FontCell.h"

@interface FontListViewController ()
@property (copy, nonatomic) NSArray<NSString *> *names;
@property (strong, nonatomic) id activeToken;
@end

@implementation FontListViewController

- (void)viewDidLoad {
    [super viewDidLoad];
    self.names = [[UIFont familyNames] sortedArrayUsingSelector:@selector(compare:)];
    [self.tableView registerClass:[FontCell class] forCellReuseIdentifier:@"Font"];
    [[NSNotificationCenter defaultCenter] addObserver:self
                                             selector:@selector(reloadFonts:)
                                                 name:UIContentSizeCategoryDidChangeNotification
                                               object:nil];
    __weak typeof(self) weakSelf = self;
    // Right: the token is kept, and given back below.
    self.activeToken = [[NSNotificationCenter defaultCenter] addObserverForName:UIApplicationDidBecomeActiveNotification
                                                                         object:nil
                                                                          queue:[NSOperationQueue mainQueue]
                                                                     usingBlock:^(NSNotification *notification) {
        [weakSelf.tableView reloadData];
    }];
}

// Right: at the end of an object all its observers may go at once.
- (void)dealloc {
    [[NSNotificationCenter defaultCenter] removeObserver:_activeToken];
    [[NSNotificationCenter defaultCenter] removeObserver:self];
}

- (void)reloadFonts:(NSNotification *)notification {
    [self.tableView reloadData];
}

- (NSInteger)tableView:(UITableView *)tableView numberOfRowsInSection:(NSInteger)section {
    return self.names.count;
}

- (UITableViewCell *)tableView:(UITableView *)tableView cellForRowAtIndexPath:(NSIndexPath *)indexPath {
    FontCell *cell = [tableView dequeueReusableCellWithIdentifier:@"Font" forIndexPath:indexPath];
    CGFloat size = [UIFont preferredFontForTextStyle:UIFontTextStyleBody].pointSize;
    [cell showFont:[UIFont fontWithName:self.names[indexPath.row] size:size] inUse:indexPath.row == 0];
    return cell;
}

@end

@implementation CarelessFontListViewController

- (void)viewDidLoad {
    [super viewDidLoad];
    __weak typeof(self) weakSelf = self;
    // The token that is returned here is the only way to remove the block, and nobody keeps it.
    [[NSNotificationCenter defaultCenter] addObserverForName:UIApplicationSignificantTimeChangeNotification // expect: observation_token_discarded
                                                      object:nil
                                                       queue:[NSOperationQueue mainQueue]
                                                  usingBlock:^(NSNotification *notification) {
        [weakSelf.tableView reloadData];
    }];
}

- (void)viewWillDisappear:(BOOL)animated {
    [super viewWillDisappear:animated];
    // This also removes what the base class has registered for, so the fonts never change again.
    [[NSNotificationCenter defaultCenter] removeObserver:self]; // expect: observer_blanket_removal
}

@end
