import ArgusCore
import Synchronization

/// A row of a list of one of several servers.
struct CollectedRow: Sendable {
    var server: String
    var values: [FieldValue]
}

/// The rows of a verb from one of several servers.
final class CollectedRows: Sendable {
    let server: String
    /// The fields that the user chose; nil without a choice.
    let chosenFields: [String]?
    private struct Table {
        var fields: [Field<CollectedRow>] = []
        var rows: [[FieldValue]] = []
        var count: ListCount?
        var isHidden = false
    }
    private let table = Mutex(Table())

    init(of server: String, fields: [String]?) {
        self.server = server
        chosenFields = fields
    }

    /// The fields of the list; none if the verb failed before it knew them.
    var fields: [Field<CollectedRow>] { table.withLock { $0.fields } }

    /// The count of the list; nil if the verb failed, or counts nothing.
    var count: ListCount? { table.withLock { $0.count } }

    var rows: [CollectedRow] {
        table.withLock { $0.rows }.map { CollectedRow(server: server, values: $0) }
    }

    func begin<Record>(_ fields: [Field<Record>]) {
        let fields = fields.enumerated().map { index, field in
            Field<CollectedRow>(field.name, field.summary, isColumn: field.isColumn) { row in
                row.values.indices.contains(index) ? row.values[index] : .null
            }.styled(like: field)
        }
        table.withLock { $0.fields = fields }
    }

    /// Adds a row, whose values are in the order of the fields.
    func add(_ values: [FieldValue]) { table.withLock { $0.rows.append(values) } }

    /// True if the run prints no rows, as a quiet one does of files that it wrote.
    var isHidden: Bool { table.withLock { $0.isHidden } }

    func hide() { table.withLock { $0.isHidden = true } }

    func end(_ count: ListCount?) { table.withLock { $0.count = count } }
}

extension CollectedRow {
    static let serverField = Field<CollectedRow>.column("server", "the server that lists it") {
        $0.server
    }

    /// The fields of several lists of one verb, after that of the server.
    static func fields(like lists: [CollectedRows]) -> [Field<CollectedRow>] {
        [serverField]
            + (lists.lazy.map(\.fields).first { !$0.isEmpty } ?? [])
            .filter { $0.name != serverField.name }
    }

    /// The count of several lists of one verb; nil if none has one.
    static func count(of lists: [CollectedRows]) -> ListCount? {
        guard var count = lists.lazy.compactMap(\.count).first else { return nil }
        count.total = lists.reduce(0) { $0 + ($1.count?.total ?? $1.rows.count) }
        count.hint = lists.lazy.compactMap(\.count?.hint).first
        return count
    }

    /// The rows by time if each list is in that order, else one list after the other.
    static func merged(_ lists: [CollectedRows]) -> [CollectedRow] {
        let rows = lists.map(\.rows)
        let fields = fields(like: lists)
        guard let time = fields.first(where: { $0.name == "timestamp" }) else {
            return rows.flatMap(\.self)
        }
        let timed = rows.map { list in list.map { (row: $0, time: Self.instant(time.value($0))) } }
        for isBefore in [(>), (<)] as [(Timestamp, Timestamp) -> Bool] {
            let areSorted = timed.allSatisfy { list in
                zip(list, list.dropFirst()).allSatisfy { !isBefore($1.time, $0.time) }
            }
            // The sort is stable: rows of one time stay in the order of the lists.
            if areSorted { return timed.joined().sorted { isBefore($0.time, $1.time) }.map(\.row) }
        }
        return rows.flatMap(\.self)
    }

    private static func instant(_ value: FieldValue) -> Timestamp {
        if case .time(let time) = value { time } else { Timestamp(seconds: 0) }
    }
}
