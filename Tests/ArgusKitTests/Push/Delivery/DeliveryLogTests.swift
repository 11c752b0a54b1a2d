import ArgusTestSupport
import Glibc
import Testing

@testable import ArgusCore
@testable import ArgusPush

@Suite("DeliveryLog")
struct DeliveryLogTests {
    private let folder: TemporaryFolder
    private let path: String
    private let now = Deliveries.now

    init() throws {
        folder = try TemporaryFolder()
        path = folder.file("push")
    }

    private func record(
        _ event: String, _ token: String, _ outcome: DeliveryRecord.Outcome = .sent,
        _ reason: String? = nil, at time: Timestamp = Deliveries.now
    ) throws -> DeliveryRecord {
        DeliveryRecord(
            event, try Deliveries.apns(token, name: "Ann's\nphone"), outcome, reason, at: time)
    }

    @Test("another process knows what was settled, and the records come back whole")
    func shared() throws {
        let (one, other) = (DeliveryLog(path), DeliveryLog(path))
        try one.refresh()
        var sent = try record("e1", "t1")
        (sent.httpStatus, sent.attempts, sent.duration) = (200, 2, .milliseconds(48))
        (sent.value, sent.passesAt) = ("22:00-07:00 UTC", now + .seconds(60))
        let failed = try record("e1", "t2", .failed, "503")
        for record in [sent, failed] { try one.append(record) }
        #expect(!other.isSettled("e1", "t1"))
        try other.refresh()
        #expect(other.isSettled("e1", "t1") && !other.isSettled("e1", "t2"))
        #expect(!other.isSettled("e1", "t"))
        try other.append(try record("e1", "t3", .skipped, "camera"))
        try one.refresh()
        #expect(one.isSettled("e1", "t3") && one.isSettled("e1", "t1"))
        let records = try other.records(of: "e1")
        #expect(records.map(\.outcome) == [.sent, .failed, .skipped] && records[0] == sent)
        #expect(try other.records(of: "e2").isEmpty)
    }

    @Test("a pipe in the place of a file blocks nobody", arguments: ["ledger-", "records-"])
    func pipe(prefix: String) throws {
        let suffix = prefix == "ledger-" ? "" : ".ndjson"
        try PrivateFolder.prepare(path)
        try #require(mkfifo("\(path)/\(prefix)\(now.utcText.prefix(10))\(suffix)", 0o600) == 0)
        let error = #expect(throws: FileSystemError.self) {
            try DeliveryLog(path).append(try record("e1", "t1"))
        }
        #expect(error?.reason == .notRegularFile)
    }

    @Test("lines and entries that a kill cut off cost themselves alone")
    func cutOff() throws {
        let log = DeliveryLog(path)
        try log.append(try record("e1", "t1"))
        for name in try folder.names(in: "push") {
            let text = name.hasPrefix("ledger") ? "torn" : #"{"at":"2026-"#
            let file = try #require(fopen(folder.file("push/\(name)"), "ae"))
            fputs(text, file)
            fclose(file)
        }
        try log.append(try record("e1", "t2"))
        try log.append(try record("e1", "t3"))
        let other = DeliveryLog(path)
        try other.refresh()
        for token in ["t1", "t2", "t3"] { #expect(other.isSettled("e1", token)) }
        // The line after the torn one is lost with it.
        #expect(try other.records(of: "e1").map(\.tokenID) == ["t1", "t3"])
    }

    @Test("files of the eighth day back are removed, those of seven days are kept")
    func pruning() throws {
        let log = DeliveryLog(path)
        for day in 0...8 { try log.append(try record("e\(day)", "t", at: now - .days(day))) }
        #expect(try folder.names(in: "push").count == 18)
        log.prune(at: now)
        let names = try folder.names(in: "push")
        #expect(names.count == 16 && !names.contains { $0.contains("2026-11-13") })
        #expect(try log.records(of: "e7").count == 1)
        try folder.plant("mine", "push/notes")
        // Not again before an hour has passed.
        log.prune(at: now + .days(1) - .seconds(86_000))
        #expect(try folder.names(in: "push").count == 17)
        log.prune(at: now + .days(30))
        #expect(try folder.names(in: "push") == ["notes"])
    }

    @Test("a folder that others may change, or no folder at all, is reported")
    func unwritable() throws {
        try folder.plant("", "file")
        let log = DeliveryLog(folder.file("file/push"))
        #expect(throws: FileSystemError.self) { try log.append(try record("e", "t")) }
        // In this process it is settled all the same.
        #expect(log.isSettled("e", "t") && !log.isSettled("e", "t2"))
    }
}
