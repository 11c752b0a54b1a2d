import ArgusKit
