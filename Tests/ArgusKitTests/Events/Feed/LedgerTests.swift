import ArgusTestSupport
import FoundationEssentials
import Glibc
import Testing

@testable import ArgusCore
@testable import ArgusEvents

@Suite("the ledger of a feed")
struct LedgerTests {
    private let folder: TemporaryFolder
    private let file: LedgerFile

    init() throws {
        folder = try TemporaryFolder()
        file = LedgerFile(folder.file("ledger"))
    }

    private func time(_ hours: Int) -> Timestamp { SimulatedServer.time(.seconds(hours * 3600)) }

    private func entry(_ number: Int, _ hours: Int) -> EventLedger.Entry {
        .event(.init("event-\(number)"), capturedAt: time(hours))
    }

    @Test("what was appended is read again, to the second")
    func roundTrip() throws {
        var ledger = EventLedger()
        let entries = [entry(1, 1), entry(2, 5), .pass(time(6)), .horizon(time(2))]
        for entry in entries { ledger.apply(entry) }
        try file.append(entries, to: ledger)
        #expect(try file.read() == ledger)
        #expect(!ledger.contains("event-1") && ledger.contains("event-2"))
        #expect(ledger.lastPass == time(6))
        #expect(try LedgerFile(folder.file("absent")).read() == EventLedger())
    }

    @Test("a record that was cut off is dropped, and the next one is whole")
    func tornRecord() throws {
        var ledger = EventLedger()
        for number in 1...3 {
            ledger.apply(entry(number, number))
            try file.append([entry(number, number)], to: ledger)
        }
        let bytes = try Data(contentsOf: URL(filePath: folder.file("ledger")))
        for cut in 1..<16 {
            try bytes.dropLast(cut).write(to: URL(filePath: folder.file("ledger")))
            let read = try file.read()
            #expect(read.contains("event-2") && !read.contains("event-3"))
            try file.append([entry(4, 4)], to: read)
            #expect(try file.read().contains("event-4") && read.count == 2)
        }
        // What a crash may leave: zeros.
        try (bytes + Data(count: 32)).write(to: URL(filePath: folder.file("ledger")))
        #expect(try file.read() == ledger)
    }

    @Test("the file has at most 64 bytes for each event of 27 hours")
    func size() throws {
        var ledger = EventLedger()
        for number in 0..<40_000 {
            var entries = [
                EventLedger.Entry.event(.init("e\(number)"), capturedAt: time(number / 100))
            ]
            if number % 100 == 0 {
                entries.append(.pass(time(number / 100)))
                if let horizon = ledger.horizon(after: time(number / 100)) {
                    entries.append(.horizon(horizon))
                }
            }
            for entry in entries { ledger.apply(entry) }
            try file.append(entries, to: ledger)
        }
        let size = try Data(contentsOf: URL(filePath: folder.file("ledger"))).count
        #expect(size <= max(64 * 27 * 100, 70_000) + 16 * 100, "\(size)")
        #expect(try file.read() == ledger)
    }

    @Test("a file of others, or that others may write, is refused")
    func foreign() throws {
        try file.append([entry(1, 1)], to: EventLedger())
        chmod(folder.file("ledger"), 0o666)
        #expect(throws: FileSystemError.self) { try file.read() }
    }
}
