/// A part of an archive that is not as it was stored.
package struct ArchiveFinding: Sendable, Hashable {
    package enum Kind: String, Sendable {
        /// The structure of the database.
        case database
        /// The index of words, or the columns, which are made anew from the objects.
        case index
        case event
        /// A picture, a frame or a video.
        case file
        /// A file that no event has, as an interrupted sync leaves it.
        case stray
    }

    package enum State: String, Sendable {
        case damaged, missing
        /// Nothing is lost.
        case harmless
        case repaired
    }

    package var kind: Kind
    package var state: State
    /// The event's id, or the path of the file in the archive; nil for the database.
    package var subject: String?
    package var reason: String

    /// True if something is lost unless it is repaired.
    package var isLoss: Bool { state == .damaged || state == .missing }
}

/// The findings of a check, of which the first are listed and all are counted.
package struct ArchiveFindings: Sendable {
    /// The most that are listed: all pictures may be missing.
    private static let maxListed = 10_000

    package private(set) var listed: [ArchiveFinding] = []
    /// The number of those that are not listed.
    package private(set) var unlistedCount = 0
    /// The number of losses, listed or not.
    package private(set) var lossCount = 0
    private var kinds: Set<ArchiveFinding.Kind> = []
    /// The numbers of events whose objects are not whole.
    package internal(set) var damagedEvents: Set<Int> = []
    /// The numbers of events whose columns differ from their objects.
    var differingEvents: Set<Int> = []

    package var isEmpty: Bool { kinds.isEmpty }

    /// True if one of the kind was found.
    package func has(_ kind: ArchiveFinding.Kind) -> Bool { kinds.contains(kind) }

    mutating func append(_ finding: ArchiveFinding) {
        kinds.insert(finding.kind)
        if finding.isLoss { lossCount += 1 }
        if listed.count < Self.maxListed { listed.append(finding) } else { unlistedCount += 1 }
    }

    mutating func append(
        _ kind: ArchiveFinding.Kind, _ state: ArchiveFinding.State, _ subject: String?,
        _ reason: String
    ) {
        append(ArchiveFinding(kind: kind, state: state, subject: subject, reason: reason))
    }

    /// The findings after a repair, those that are repaired first; `self` are those before it.
    package func repaired(leaving left: ArchiveFindings) -> ArchiveFindings {
        let subjects = Set(left.listed.map { [$0.kind.rawValue, $0.subject] })
        var all = left
        var repaired = listed.filter { !subjects.contains([$0.kind.rawValue, $0.subject]) }
        for index in repaired.indices { repaired[index].state = .repaired }
        all.listed = repaired + left.listed
        all.kinds.formUnion(kinds)
        return all
    }
}
