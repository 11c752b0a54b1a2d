import ArgusAccount
import ArgusCore
import ArgusTransport

extension Printer {
    /// Prints a verb's only record, or the server's own object with `--raw`.
    func writeOnly(
        _ record: @autoclosure () -> Record, raw: @autoclosure () -> JSONView? = nil
    ) throws(Failure) {
        try write(record(), raw: raw())
        try finish()
    }

    /// Prints a list of a server; `sentence` replaces an empty list on a terminal.
    ///
    /// - Throws: `Failure` 12 if rows could not be read.
    func writeList(
        _ list: ListedRows<Record>, of things: (one: String, several: String),
        on server: SignedInServer, whenEmpty sentence: String
    ) throws(Failure) where Record: Sendable {
        for (record, view) in list { try write(record, raw: view) }
        try finish(whenEmpty: sentence, counting: ListCount(things))
        try server.expectNoUnreadableRows(list.unreadableRows, of: things)
    }
}

extension Context {
    /// The server of this run and the printer of the results, which is made first so that usage
    /// errors fail before the network is used.
    func server<Record>(
        printing fields: [Field<Record>], _ shape: Printer<Record>.Shape
    ) async throws(Failure) -> (SignedInServer, Printer<Record>) {
        let printer = try printer(of: fields, shape)
        return (try await server(), printer)
    }

    /// Runs the work for each operand in turn and completes the output.
    ///
    /// - Throws: The `Failure` that stands for those of all operands.
    func forEach<Record>(
        _ operands: [String], with printer: Printer<Record>,
        _ work: (String) async throws(Failure) -> Void
    ) async throws(Failure) {
        var outcome = BatchResult()
        for operand in operands {
            try await outcome.collect(operand) { () async throws(Failure) in
                try await work(operand)
            }
        }
        try printer.finish()
        try outcome.finish()
    }

    /// Changes one object after the other; prints each for programs, or a sentence for users.
    ///
    /// In a dry run `change` changes nothing, and each object is printed in any format. `outcome`
    /// contains the failures of operands that matched nothing.
    /// - Throws: The `Failure` that stands for those of all objects.
    func reportEach<Thing, Record>(
        _ things: [Thing], id: (Thing) -> String, isDryRun: Bool = false,
        with printer: Printer<Record>, after outcome: BatchResult = BatchResult(),
        _ change: (Thing) async throws(Failure) -> (Record, raw: JSONView?, sentence: String)
    ) async throws(Failure) {
        let isForMachines = try isForMachines()
        let printsRecords = isForMachines || isDryRun
        var outcome = outcome
        for thing in things {
            try await outcome.collect(id(thing)) { () async throws(Failure) in
                let (record, raw, sentence) = try await change(thing)
                guard printsRecords else { return console.notice(sentence) }
                try printer.write(record, raw: raw)
            }
        }
        if printsRecords { try printer.finish() }
        try outcome.finish()
        if isDryRun { console.notice("dry run: nothing was changed") }
    }

    /// Prints in any format what a dry run would change.
    func preview<Record>(_ records: [Record], with printer: Printer<Record>) throws(Failure) {
        for record in records { try printer.write(record) }
        try printer.finish()
        console.notice("dry run: nothing was changed")
    }
}

extension BatchResult {
    /// The objects that operands name, each once with its operand; records the failures of the
    /// others.
    mutating func resolve<Thing>(
        _ words: [String], id: (Thing) -> String, _ find: (String) async throws(Failure) -> Thing
    ) async throws(Failure) -> [(word: String, thing: Thing)] {
        var found: [(word: String, thing: Thing)] = []
        for word in words {
            try await collect(word, countsSuccess: false) { () async throws(Failure) in
                let thing = try await find(word)
                let isNew = !found.contains { id($0.thing) == id(thing) }
                if isNew { found.append((word, thing)) }
            }
        }
        return found
    }
}
