import ArgusCore
import ArgusEvents
import ArgusTestSupport
import Testing

@Suite("ExportTail")
struct ExportTailTests {
    private static let csv = ExportTail.Layout.separated(by: UInt8(ascii: ","), quoted: true)

    private func tail(
        _ layout: ExportTail.Layout, _ text: String,
        _ columns: [String] = ["id", "timestamp", "d"],
        hasHeader: Bool = true
    ) throws(ExportTailError) -> ExportTail {
        var tail = ExportTail(layout, columns: columns, hasHeader: hasHeader)
        // Pieces of every length must give the same.
        for byte in text.utf8 { try tail.read([byte]) }
        return tail
    }

    @Test("the last whole row counts, quoted line ends are none, and one instant's ids are kept")
    func csv() throws {
        let whole = """
            id,timestamp,d
            a,2026-11-20T22:00:00.000000Z,"x, ""y""
            z"
            b,2026-11-20T22:00:01.000000Z,
            c,2026-11-20T22:00:01.000000Z,'=1

            """
        let tail = try tail(Self.csv, whole + "d,2026-11-20T22:00:02.000000Z,\"cut\n")
        #expect(tail.size == whole.utf8.count)
        #expect(tail.rowCount == 3)
        #expect(tail.ids == ["b", "c"])
        #expect(tail.time == Timestamp(serverText: "2026-11-20T22:00:01Z"))
        #expect(try self.tail(Self.csv, "id,timestamp,d\n").rowCount == 0)
    }

    @Test("lines of JSON and files without a header are read, rows without a key are not")
    func others() throws {
        let line = #"{"id":"a","timestamp":"2026-11-20T22:00:00.000000Z","d":null}"# + "\n"
        #expect(try tail(.lines, line + line.dropLast()).size == line.utf8.count)
        let bare = "a,2026-11-20T22:00:00.000000Z,x\n"
        #expect(try tail(Self.csv, bare, hasHeader: false).ids == ["a"])
        #expect(try tail(Self.csv, "").size == 0)
    }

    @Test("an event without a time has an empty one in every layout")
    func timeless() throws {
        let line = #"{"id":"a","timestamp":null,"d":"x"}"# + "\n"
        #expect(try tail(.lines, line).ids == ["a"])
        #expect(try tail(Self.csv, "a,,x\n", hasHeader: false).ids == ["a"])
    }

    private func refusal(
        _ layout: ExportTail.Layout, _ text: String,
        _ columns: [String] = ["id", "timestamp", "d"],
        hasHeader: Bool = true
    ) -> ExportTailError? {
        do throws(ExportTailError) {
            _ = try tail(layout, text, columns, hasHeader: hasHeader)
            return nil
        } catch { return error }
    }

    @Test("rows that such an export does not write are refused, each for its reason")
    func refusals() {
        let line = #"{"id":"a","timestamp":"2026-11-20T22:00:00.000000Z","d":"say \"x"}"# + "\n"
        let time = "2026-11-20T22:00:00.000000Z"
        for hasHeader in [true, false] {
            // An odd number of quotes would make all of it one cell.
            #expect(refusal(Self.csv, line, hasHeader: hasHeader) == .holdsLines)
        }
        #expect(refusal(.lines, "{}\n") == .otherFields([]))
        #expect(refusal(.lines, "[1]\n") == .holdsNoLines)
        #expect(
            refusal(.lines, line, ["id", "d", "timestamp"])
                == .otherFields(["id", "timestamp", "d"]))
        #expect(refusal(.lines, #"{"id":"a","d":1}"# + "\n", ["id", "d"]) == .noKey)
        #expect(refusal(Self.csv, "id,d\n") == .otherFields(["id", "d"]))
        #expect(refusal(Self.csv, "id,d\na,b\n", ["id", "d"]) == .noKey)
        #expect(refusal(Self.csv, "a,\(time),x\n") == .noHeader)
        #expect(refusal(Self.csv, "id\ttimestamp\td\n") == .otherSeparator)
        let rows: [(String, ExportTailError)] = [
            ("id,timestamp,d\n", .hasHeader), ("a,\(time)\n", .otherCount(2)),
            ("a,\(time),x\nb,\(time),x,y\n", .otherCount(4)), ("a\t\(time)\tx\n", .otherSeparator),
            ("a,x,\(time)\n", .noKey), (",\(time),x\n", .noKey),
        ]
        for (text, error) in rows {
            #expect(refusal(Self.csv, text, hasHeader: false) == error, "\(text)")
        }
    }
}
