import ArgusCore

/// Prints findings as they come, and in the end their number and the first failure.
final class DoctorReport {
    private let context: Context
    private let printer: Printer<Finding>?
    private var findings: [Finding] = []
    private var group: FindingGroup?
    /// The checks of the group that were left out.
    private var skipped: [Finding] = []

    init(_ context: Context) throws(Failure) {
        self.context = context
        let globals = context.globals
        let isForPeople = try context.format() == .table && globals.fields == nil && !globals.isRaw
        printer = isForPeople ? nil : try context.printer(of: Finding.fields, .list)
    }

    func add(_ finding: Finding) throws(Failure) {
        findings.append(finding)
        if let printer { return try printer.write(finding) }
        if finding.skip != nil { return skipped.append(finding) }
        try begin(FindingGroup(ofCheck: finding.check))
        try context.write(finding.line.text(on: context.terminal))
    }

    /// Prints the heading of another group on a terminal; elsewhere each line stands for itself.
    private func begin(_ group: FindingGroup) throws(Failure) {
        guard group != self.group else { return }
        try writeSkipped()
        if context.terminal.isOutputTerminal {
            let heading = context.terminal.style.bold(group.rawValue)
            try context.write((self.group == nil ? "" : "\n") + heading + "\n")
        }
        self.group = group
    }

    private func writeSkipped() throws(Failure) {
        guard let need = skipped.first?.skip?.need else { return }
        let count = skipped.count
        let checks = count == 1 ? "1 check that needs" : "\(count) checks that need"
        let margin = context.terminal.isOutputTerminal ? "  " : ""
        try context.write(
            margin + context.terminal.style.dim("not checked: \(checks) \(need)") + "\n")
        skipped = []
    }

    /// The line at the end: `22 checks: 20 ok, 1 warning, 1 failed`.
    private var summary: String {
        let made = findings.filter { $0.skip == nil }
        func count(_ state: Finding.State) -> Int { made.count { $0.state == state } }
        let (warnings, left) = (count(.warning), findings.count - made.count)
        let parts = [
            (count(.ok), "ok"), (warnings, warnings == 1 ? "warning" : "warnings"),
            (count(.failure), "failed"), (left, "not checked"),
        ].filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
        let checks = "\(findings.count) check\(findings.count == 1 ? "" : "s")"
        return "\(checks): " + (parts.count == 1 ? "all ok" : parts.joined(separator: ", "))
    }

    /// Prints the end.
    ///
    /// - Throws: `Failure` of the first finding that is one.
    func finish() throws(Failure) {
        try end()
        let failures = findings.filter { $0.state == .failure }
        guard let first = failures.first?.failure else { return }
        let failed = failures.map(\.check).distinct.joined(separator: ", ")
        var failure = Failure(
            first.kind, "failed: \(failed)", hint: first.hint, reason: "check_failed")
        failure.needsAction = first.needsAction
        throw failure
    }

    /// Prints the end, whatever was found.
    func end() throws(Failure) {
        if let printer { return try printer.finish() }
        try writeSkipped()
        try context.write((context.terminal.isOutputTerminal ? "\n" : "") + summary + "\n")
    }
}
