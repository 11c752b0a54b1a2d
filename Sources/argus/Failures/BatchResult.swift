/// Collects the results of several operands and determines the exit status.
///
/// All failed alike: that status. Mixed with successes: 11, or 12 where operands could not be read.
/// Failures of different kinds: 1 (docs/scripting.md, "Exit statuses").
struct BatchResult {
    private var failures: [(id: String, failure: Failure)] = []
    private var successes = 0
    /// Rows that a list of operands left out.
    private var gap: Failure?

    /// Runs the work for one operand and records its failure; preparatory work is no success.
    ///
    /// - Throws: A failure that concerns every operand: a closed pipe or an unwritable stdout.
    mutating func collect(
        _ id: String, countsSuccess: Bool = true, _ work: () async throws(Failure) -> Void
    ) async throws(Failure) {
        do {
            try await work()
            if countsSuccess { successes += 1 }
        } catch  where error.kind == .done || error.reason == Failure.stdoutReason {
            throw error
        } catch {
            record(error, of: id)
        }
    }

    /// Records the result of work done elsewhere.
    mutating func record(_ failure: Failure?, of id: String) {
        if let failure { failures.append((id, failure)) } else { successes += 1 }
    }

    /// Records the failure of rows that could not be read as operands; nil if all could.
    mutating func record(gap: Failure?) { self.gap = gap }

    /// True if all that was done has failed.
    var isFailed: Bool { successes == 0 && !failures.isEmpty }

    var isEmpty: Bool { successes == 0 && failures.isEmpty }

    /// - Throws: The one `Failure` that stands for all.
    func finish() throws(Failure) {
        guard var failure = whole else {
            if let gap { throw gap }
            return
        }
        if let gap {
            if failure.kind == .partial { failure.kind = .gap }
            failure.message += ", and \(gap.message)"
        }
        throw failure
    }

    /// The failure of the batch; nil if no operand failed.
    private var whole: Failure? {
        guard let first = failures.first?.failure else { return nil }
        let total = successes + failures.count
        if total == 1 { return first }
        let isAlike = failures.allSatisfy { $0.failure.kind == first.kind }
        let kind: ExitKind = successes > 0 ? .partial : isAlike ? first.kind : .failed
        var failure = Failure(kind, "\(failures.count) of \(total) failed")
        if isAlike { (failure.hint, failure.unreachedServer) = (first.hint, first.unreachedServer) }
        failure.items = failures.map { .init(id: $0, kind: $1.kind, message: $1.summary) }
        return failure
    }
}
