import ArgusKit

extension ArchiveError: FailureCause {
    var failure: Failure {
        let kind: ExitKind =
            switch self {
            case .isArchive, .notEmpty: .usage
            case .damaged, .notDatabase: .gap
            case .running: .timeout
            case .unknownServer: .notFound
            default: .failed
            }
        var failure = Failure(kind, "\(self)", hint: remedy, reason: reason)
        if case .file(let cause) = self { failure = Failure(cause) }
        return failure
    }

    private var reason: String? {
        switch self {
        case .notArchive: "no_archive"
        case .running: "archive_in_use"
        case .damaged, .notDatabase: "archive_damaged"
        case .newer: "archive_newer"
        case .wrongClock: "wrong_clock"
        default: nil
        }
    }
}
