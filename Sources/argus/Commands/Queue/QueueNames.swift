import ArgusKit
import CommandLineKit

/// The options of verbs that choose items of the queue.
struct QueueOptions: OptionGroup, Equatable {
    var state: StateName?

    static let own: [Flag<QueueOptions>] = [
        .option("state", sets: \.state, "Only what belongs to the watch with the state NAME")
            .completing(.dynamic("states"))
    ]
}

/// The items that `argus queue` shows and changes, of all stores.
struct Queue {
    private let hooks: HookQueue
    private let writes: WriteQueue
    private let options: QueueOptions
    private let console: Console

    init(_ options: QueueOptions, in context: Context) {
        let state = context.system.paths.state
        hooks = HookQueue(WatchStates(in: state))
        writes = WriteQueue(WriteStore(in: state))
        (self.options, console) = (options, context.console)
    }

    /// The items, oldest first, with a warning of each file that cannot be read.
    func items() -> [QueueItem] {
        let (items, unreadable) = all()
        for file in unreadable { console.warn(file.sentence) }
        return items
    }

    /// The items, oldest first, and what cannot be read.
    func all() -> (items: [QueueItem], unreadable: [UnreadableFile]) {
        let stored = [hooks.items(), writes.items()]
        let all = stored.flatMap(\.items).sorted { ($0.addedAt, $0.id) < ($1.addedAt, $1.id) }
        let chosen = options.state.map { state in all.filter { $0.state == state.text } }
        return (chosen ?? all, stored.flatMap(\.unreadable))
    }

    /// The items that words name, with a failure in `outcome` for each word that names none.
    func items(
        named words: [String], _ outcome: inout BatchResult
    ) async throws(Failure) -> [QueueItem] {
        let items = items()
        return try await outcome.resolve(words, id: \.key) { word throws(Failure) in
            try items.named(word)
        }.map(\.thing)
    }

    /// - Throws: `Failure` 3 if the item is gone, 1 if it cannot be changed.
    func retry(_ item: QueueItem, at now: Timestamp) async throws(Failure) {
        try await change(item) { store throws(FileSystemError) in
            try await store.retry(item, at: now)
        }
    }

    /// - Throws: `Failure` 3 if the item is gone, 1 if it cannot be removed.
    func drop(_ item: QueueItem) async throws(Failure) {
        try await change(item) { store throws(FileSystemError) in try await store.drop(item) }
    }

    private func change(
        _ item: QueueItem, _ work: (any QueueStore) async throws(FileSystemError) -> Bool
    ) async throws(Failure) {
        let store: any QueueStore =
            switch item.kind {
            case .hook: hooks
            case .write: writes
            }
        let isThere: Bool
        do {
            isThere = try await work(store)
        } catch {
            throw Failure(error)
        }
        guard !isThere else { return }
        throw Failure(.notFound, "\(item.id.inQuotes) no longer waits")
    }
}

extension UnreadableFile {
    /// The failure with its advice.
    var sentence: String { "\(self)\(remedy.map { "; \($0)" } ?? "")" }
}

extension [QueueItem] {
    /// The item with an id or a unique prefix of 4 or more of one.
    ///
    /// - Throws: `Failure` 3 if there is none, 2 if there are several.
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

extension Argument where Options: VerbOptions {
    /// The operand of verbs that take items of the queue.
    static func queueItems(
        _ path: @escaping @Sendable @autoclosure () -> OptionPath<[String]>
    ) -> Argument {
        .repeated(
            "ID", atLeast: 1, appends: path(), "An id, or the start of one, as the list shows it"
        ).completing(.dynamic("queue"))
    }
}
