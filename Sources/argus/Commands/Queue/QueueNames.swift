import ArgusAccount
import ArgusCore
import ArgusKit
import CommandLineKit

struct QueueOptions: OptionGroup, Equatable {
    var state: StateName?

    static let own: [Flag<QueueOptions>] = [
        .option("state", sets: \.state, "Only what belongs to the watch with the state NAME")
            .completing(.dynamic("states"))
    ]
}

/// The items that `argus queue` shows and changes, of all stores.
struct Queue {
    private let store: QueueStore
    private let options: QueueOptions
    private let console: Console

    init(_ options: QueueOptions, in context: Context) {
        store = QueueStore(in: context.system.paths.state)
        (self.options, console) = (options, context.console)
    }

    /// The items, oldest first, with a warning of each file that cannot be read.
    func items() -> [QueueItem] {
        let (items, unreadable) = all()
        for file in unreadable { console.warn("\(file)\(file.remedy.map { "; \($0)" } ?? "")") }
        return items
    }

    /// As `items`, with what cannot be read.
    func all() -> (items: [QueueItem], unreadable: [UnreadableFile]) {
        let (items, unreadable) = store.items()
        let all = items.sorted { ($0.addedAt, $0.id) < ($1.addedAt, $1.id) }
        let chosen = options.state.map { state in all.filter { $0.state == state.text } }
        return (chosen ?? all, unreadable)
    }

    /// The items that words name, with a failure in `outcome` for each word that names none.
    func items(
        named words: [String], _ outcome: inout BatchResult
    ) async throws(Failure) -> [QueueItem] {
        let items = items()
        return try await outcome.resolve(words, id: { "\($0.state ?? "")/\($0.id)" }) {
            word throws(Failure) in
            try items.named(word)
        }.map(\.thing)
    }

    /// - Throws: `Failure` 3 if the item is gone, 1 if it cannot be changed.
    func retry(_ item: QueueItem, at now: Timestamp) async throws(Failure) {
        let isWaiting = try await attempt(awaiting: try await store.retry(item, at: now))
        try item.expectWaiting(isWaiting)
    }

    /// - Throws: `Failure` 3 if the item is gone, 1 if it cannot be removed.
    func drop(_ item: QueueItem) async throws(Failure) {
        let isWaiting = try await attempt(awaiting: try await store.drop(item))
        try item.expectWaiting(isWaiting)
    }
}

extension QueueItem {
    /// The place to which it belongs: a watch, or the queue of writes.
    var place: String { state.map { "the watch with the state '\($0)'" } ?? "the next run" }

    fileprivate func expectWaiting(_ isWaiting: Bool) throws(Failure) {
        if !isWaiting { throw Failure(.notFound, "\(id.inQuotes) no longer waits") }
    }
}

extension [QueueItem] {
    /// The item with an id or a unique prefix of 4 or more of one.
    func named(_ word: String) throws(Failure) -> QueueItem {
        let found = NameLookup.find(word, in: self, id: \.id, name: { _ in nil })
        do {
            return try found.expectOne(word, .queueItem) { "\($0.id) (\($0.place))" }
        } catch  where found.map(\.id).distinct.count == 1 {
            var failure = error
            failure.hint = "choose one with --state NAME"
            throw failure
        }
    }
}

extension NamedThing {
    fileprivate static let queueItem = NamedThing(
        one: "item", several: "items", listHint: "'argus queue list' lists what waits")
}

extension Argument {
    static func queueItems(_ path: OptionPath<[String]>) -> Self {
        .repeated(
            "ID", atLeast: 1, appends: path, "An id, or the start of one, as the list shows it"
        ).completing(.dynamic("queue"))
    }
}
