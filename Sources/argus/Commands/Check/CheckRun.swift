import ArgusAccount
import ArgusCore
import ArgusEvents
import ArgusKit
import CommandLineKit

/// The results of a run of `argus check`, and how they are printed.
struct CheckRun {
    private let options: Check.Options
    private let context: Context
    private let server: String
    /// What is printed: all results, or those that changed.
    private var results: [CheckResult]
    /// The failure to ask the server anything; nil if it answered.
    private var outage: Failure?

    /// Makes the checks.
    /// - Throws: `Failure` 2 or 3 for what was typed.
    init(_ options: Check.Options, in context: Context) async throws(Failure) {
        (self.options, self.context) = (options, context)
        let checks = HouseCheck.all.filter { check in
            if let only = options.only { return only.values.contains(check.name) }
            return check.name != .picture || options.takesPictures
        }
        var opened: SignedInServer?
        do {
            opened = try await context.server()
        } catch  where error.kind != .usage && error.kind != .notFound {
            outage = error
        }
        let record = opened == nil ? Self.known(in: context) : opened?.record
        server = opened?.name ?? record?.name ?? ""
        let file = record.flatMap {
            CheckMemory.file(of: $0.id.text, in: context.system.paths.state)
        }
        var memory = Self.memory(file, in: context)
        let local = await LocalReader(context: context, server: opened).readings(&memory)
        if let opened {
            let inputs = checks.reduce(into: Set<HouseInput>()) { $0.formUnion($1.inputs) }
                .union(options.cameras.isEmpty ? [] : [.cameras])
            let service = HealthService(opened.session, context.timeZone, now: context.now)
            var readings = await service.readings(inputs, memory)
            let scope = try Self.scope(options, readings)
            if inputs.contains(.pictures) {
                await service.addPictures(to: &readings, of: scope, memory)
            }
            readings.local = local
            memory.learn(readings)
            results = readings.results(of: checks, scope)
            if let error = readings.outage ?? readings.refusal {
                outage = await opened.failure(error, doing: "check the house")
            }
        } else {
            var readings = HouseReadings(now: context.now(), zone: context.timeZone)
            readings.local = local
            results = readings.results(of: checks.filter { $0.inputs == [.local] }, CheckScope())
        }
        if let outage {
            let isRefusal = [.notSignedIn, .forbidden].contains(outage.kind)
            let check: CheckName = isRefusal ? .signIn : .server
            results.insert(
                CheckResult(.fail, check, nil, outage.message, hint: outage.hint), at: 0)
        }
        // A run that reports something else takes no change away from the next report.
        if options.reportsChanges {
            var complete = outage == nil ? Set(checks.map(\.name)) : []
            if !options.cameras.isEmpty { complete.subtract([.camera, .silence, .picture]) }
            results = memory.changes(in: results, complete: complete)
        }
        do throws(FileSystemError) {
            try file?.write(memory)
        } catch {
            context.console.warn("\(error); the next check starts from scratch")
        }
    }

    /// The record of a server that cannot be opened.
    private static func known(in context: Context) -> ServerRecord? {
        let name = (try? context.settings[.server]?.text) ?? nil
        return try? context.knownServer(name, in: context.knownServers())
    }

    private static func memory(
        _ file: StateFile<CheckMemory>?, in context: Context
    ) -> CheckMemory {
        guard let file else { return CheckMemory() }
        do throws(FileSystemError) {
            switch try file.read() {
            case .value(let memory): return memory
            case .absent: return CheckMemory()
            case .damaged, .newer:
                let path = try file.setAside()
                context.console.warn(
                    "what checks have learnt could not be read, and was moved to '\(path)'")
            }
        } catch {
            context.console.warn("\(error)")
        }
        return CheckMemory()
    }

    private static func scope(
        _ options: Check.Options, _ readings: HouseReadings
    ) throws(Failure) -> CheckScope {
        var scope = CheckScope()
        scope.quiet = options.quiet
        scope.disk = Double(options.disk)
        if !options.cameras.isEmpty, case .success(let cameras)? = readings.cameras {
            scope.cameras = []
            for name in options.cameras { scope.cameras?.insert(try cameras.named(name).id) }
        }
        return scope
    }

    /// Prints the results.
    /// - Throws: `Failure` 11 if one of them fails, or that of a server that could not be asked.
    func report() throws(Failure) {
        if options.isForNagios { return try Self.report(NagiosLine(results), options, in: context) }
        if options.printsMetrics {
            let metrics = CheckMetrics(server: server, results: results, now: context.now())
            try Self.write(metrics.text, options, in: context)
        } else if try isForPeople {
            try writeForPeople()
        } else {
            try writeRows()
        }
        let failed = results.filter { $0.state == .fail }.map(\.check.rawValue).distinct
        guard !failed.isEmpty else { return }
        throw Failure(
            outage?.kind ?? .partial, "failed: \(failed.joined(separator: ", "))",
            hint: outage?.hint, reason: "check_failed")
    }

    private var isForPeople: Bool {
        get throws(Failure) {
            let globals = context.globals
            return try context.format() == .table && globals.fields == nil && options.path == nil
                && context.terminal.isOutputTerminal
        }
    }

    private func writeForPeople() throws(Failure) {
        for result in results { try context.write(result.line.text(on: context.terminal)) }
        if !options.reportsChanges { try context.write("\n\(results.summary)\n") }
    }

    private func writeRows() throws(Failure) {
        let sink = options.path.map { _ in ByteSink.memory() }
        // Mail about nothing that changed is no mail.
        if results.isEmpty, options.reportsChanges, try context.format() == .table { return }
        let printer = try context.printer(of: CheckView.fields, .list, to: sink)
        for result in results { try printer.write(result) }
        try printer.finish()
        if let sink { try Self.write(sink.text, options, in: context) }
    }

    /// Prints the line for a monitoring system, and ends with its status.
    static func report(
        _ line: NagiosLine, _ options: Check.Options, in context: Context
    ) throws(Failure) {
        try write(line.text, options, in: context)
        guard line.status != .ok, let kind = ExitKind(rawValue: line.status.rawValue) else {
            return
        }
        var failure = Failure(kind, "")
        failure.isReported = true
        throw failure
    }

    private static func write(
        _ text: String, _ options: Check.Options, in context: Context
    ) throws(Failure) {
        guard let path = options.path else { return try context.write(text) }
        try context.write(Array(text.utf8), toFile: path)
    }
}
