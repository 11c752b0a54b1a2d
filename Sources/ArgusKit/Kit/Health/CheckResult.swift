package import ArgusCore

/// The result of one check of the house.
package struct CheckResult: Sendable, Equatable {
    /// Ordered from the worst to the best.
    package enum State: String, Sendable, CaseIterable, Comparable {
        case fail, warn, unknown, ok

        private var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }

        package static func < (left: State, right: State) -> Bool { left.rank < right.rank }
    }

    package var state: State
    package var check: CheckName
    /// The camera, watch or receiver; nil for a check of the whole.
    package var subject: String?
    /// The sentence for people.
    package var detail: String
    /// The measured number, in `unit`.
    package var value: Double?
    /// The unit of the value; nil for a count.
    package var unit: CheckUnit?
    /// The time at which the state began, or of the last sign of life, if it is known.
    package var since: Timestamp?
    /// What to do; nil if there is nothing to say.
    package var hint: String?
    /// True for a finding about several cameras, which are not judged one by one then.
    package var isOfSeveral = false

    package init(
        _ state: State, _ check: CheckName, _ subject: String? = nil, _ detail: String,
        value: Double? = nil, unit: CheckUnit? = nil, since: Timestamp? = nil, hint: String? = nil
    ) {
        (self.state, self.check, self.subject, self.detail) = (state, check, subject, detail)
        (self.value, self.unit, self.since, self.hint) = (value, unit, since, hint)
    }

    /// The check and its subject, by which a later run finds the same one.
    package var name: String { subject.map { "\(check.rawValue) \($0)" } ?? check.rawValue }
}

/// What is checked, in the order in which results of the same state are listed.
package enum CheckName: String, Sendable, CaseIterable {
    case server
    case signIn = "sign-in"
    case camera, silence, picture, descriptions, protect, queue, disk, clock, certificate, rules
    case watches, archive, push
}

/// The unit of a measured number.
package enum CheckUnit: String, Sendable {
    case seconds = "s"
    case percent = "%"
}

extension [CheckResult] {
    /// The worst first, those alike in the order of the checks.
    package var worstFirst: [CheckResult] {
        let order = CheckName.allCases
        func rank(_ result: CheckResult) -> Int { order.firstIndex(of: result.check) ?? 0 }
        // The sort is stable.
        return sorted { ($0.state, rank($0)) < ($1.state, rank($1)) }
    }
}
