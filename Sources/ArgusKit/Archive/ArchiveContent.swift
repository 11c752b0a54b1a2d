import ArgusCore
import ArgusEvents

/// A row of a list as an archive keeps it; a class, so that waiting rows are not copied.
final class ArchiveContent: Sendable {
    let id: String
    /// The server's own object; usually a slice of the page.
    let raw: ArraySlice<UInt8>
    let sha256: String
    /// True if the server's own text has what stands for a masked secret.
    let hasMask: Bool
    private let known: ArchiveColumns?

    /// Reads a row; most rows of a full sync need no columns.
    init(of row: EventRow, withColumns: Bool = false) {
        raw = row.view.compact
        id = row.id
        sha256 = Checksum.sha256(raw)
        hasMask = SecretMask.isReplaced(in: raw)
        known = withColumns ? ArchiveColumns(row.event) : nil
    }

    var columns: ArchiveColumns {
        known ?? ArchiveColumns(view.flatMap(Event.init) ?? Event(id: id))
    }

    var view: JSONView? { try? JSONView.parse(Array(raw)) }
}

extension JSONView {
    /// The members of an event; of the address of its picture, which a server may sign anew for each
    /// answer, the part that stays.
    var lasting: [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(rawBytes.count)
        forEachMember { key, value in
            let isAddress = key.matches("thumbnail_url")
            let address = isAddress ? value.string?.prefix { $0 != "?" } : nil
            // NUL, which no JSON has, ends each name and each value.
            bytes += Array(key.text.utf8) + [0]
            bytes += address.map { Array($0.utf8)[...] } ?? value.rawBytes
            bytes.append(0)
        }
        return bytes
    }
}

/// The canonical columns of an event; a class, so that those of waiting rows are not copied.
final class ArchiveColumns: Sendable {
    /// The names of `values`.
    static let names = """
        camera_id, camera_name, timestamp, type, kinds, objects, confidence, description, \
        is_doorbell_ring, alert_triggered, carrier, source, has_thumbnail
        """
    /// A parameter of SQL for each of them.
    static let places = names.split(separator: ",").map { _ in "?" }.joined(separator: ", ")

    let cameraID: String?
    let cameraName: String?
    let description: String?
    /// The words that name a type of the event, in lower case; see `Event.isOfType`.
    let kinds: [String]
    let values: [SQLiteValue]

    init(_ event: Event) {
        (cameraID, cameraName) = (event.cameraID, event.cameraName)
        description = event.description
        kinds = Self.kinds(of: event)
        let objects = event.objects.map { words in
            var writer = JSONWriter()
            writer.array { for word in words { $0.string(word) } }
            return SQLiteValue.utf8(writer.bytes)
        }
        values = [
            SQLiteValue(event.cameraID), SQLiteValue(event.cameraName),
            SQLiteValue(event.timestamp), .text(event.type),
            .text("|" + kinds.joined(separator: "|") + "|"), objects ?? .null,
            SQLiteValue(event.confidence), SQLiteValue(event.description),
            SQLiteValue(event.isDoorbellRing), SQLiteValue(event.alertTriggered),
            SQLiteValue(event.carrier), SQLiteValue(event.source), SQLiteValue(event.hasThumbnail),
        ]
    }

    private static func kinds(of event: Event) -> [String] {
        var words: [String] = []
        func add(_ word: String) {
            let word = word.lowercased()
            if !words.contains(word) { words.append(word) }
        }
        if let type = event.smartDetectionType { add(type) }
        for word in event.objects ?? [] { add(word) }
        if words.isEmpty { add("motion") }
        if event.isDoorbellRing == true { add("ring") }
        return words
    }
}
