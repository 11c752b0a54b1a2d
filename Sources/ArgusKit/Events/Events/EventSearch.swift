import ArgusAccount
import ArgusCore
import ArgusTransport

/// A search of descriptions: the same words in the same order, in any case; the last may be the
/// beginning of a longer one.
///
/// Signs between words do not count, so that `front-door` finds `front door`, as in the index of
/// today's server. Text that an index of words cannot find is compared letter by letter: signs and
/// emoji alone, and scripts that put no spaces between words.
package struct EventSearch: Sendable {
    /// The longest search that today's server accepts, in characters.
    private static let longestPhrase = 500

    /// The text as it was given, in lower case, and folded.
    private let text: String
    private let folded: String
    private let words: [String]
    private let comparesLetters: Bool

    package init(_ text: String) {
        self.text = text.lowercased()
        folded = text.caseFolded
        words = Self.words(of: text)
        comparesLetters = words.isEmpty || !text.allSatisfy(Self.isOfSpacedText)
    }

    /// The text as a quoted phrase of SQLite's FTS5 whose last word is a prefix; nil where its index of words cannot help.
    package var phrase: String? {
        guard !comparesLetters else { return nil }
        let phrase = Self.spellings(of: text).map { spelling in
            "\"" + spelling.replacing("\"", with: "\"\"") + "\"*"
        }.joined(separator: " OR ")
        return phrase.unicodeScalars.count <= Self.longestPhrase ? phrase : nil
    }

    /// A text in lower case with each spelling that an index of words tells apart, and argus does not.
    package static func spellings(of text: String) -> [String] {
        let text = text.lowercased()
        return [text, text.replacing("ß", with: "ss"), text.replacing("ss", with: "ß")].distinct
    }

    /// True if a description contains the words.
    package func matches(_ description: String) -> Bool {
        guard !comparesLetters else { return description.caseFolded.contains(folded) }
        let others = Self.words(of: description)
        guard others.count >= words.count else { return false }
        return (0...others.count - words.count).contains { start in
            zip(others[start...], words).enumerated().allSatisfy { index, pair in
                index == words.count - 1 ? pair.0.hasPrefix(pair.1) : pair.0 == pair.1
            }
        }
    }

    /// Returns the words of a text for comparisons.
    package static func words(of text: String) -> [String] {
        text.caseFolded.split { !$0.isLetter && !$0.isNumber }.map(String.init)
    }

    /// Returns true for a character of a script that separates words by spaces and signs.
    private static func isOfSpacedText(_ character: Character) -> Bool {
        if character.isASCII { return true }
        guard character.isLetter || character.isNumber else {
            return character.isPunctuation || character.isWhitespace
        }
        return !character.unicodeScalars.contains { scalar in
            unspacedScripts.contains { $0.contains(scalar.value) }
        }
    }

    /// Thai and Lao, Burmese, Khmer, kana, and Han with its extensions (Unicode blocks).
    private static let unspacedScripts: [ClosedRange<UInt32>] = [
        0x0E00...0x0EFF, 0x1000...0x109F, 0x1780...0x17FF, 0x3040...0x30FF, 0x3400...0x4DBF,
        0x4E00...0x9FFF, 0xF900...0xFAFF, 0x20000...0x323AF,
    ]

    /// Reads a page, by the server's index of words unless the first page shows it unreliable.
    static func page(
        _ query: EventQuery, isFirst: Bool, _ session: Session
    ) async throws(APIError) -> EventPage {
        var query = query
        do throws(APIError) {
            var page = try await session.call(EventRoutes.list, query)
            page.isSearched = page.isSearched && query.searchesOnServer
            guard isFirst, page.isSearched, await !findsNewest(session, having: page) else {
                return page
            }
        } catch  where query.searchesOnServer && error.status == 500 {
            // The index fails for words of deleted events, and some databases have none
            // (docs/compatibility.md, "Searching"); the events are there all the same.
        }
        query.searchesOnServer = false
        var page = try await session.call(EventRoutes.list, query)
        page.isSearched = false
        return page
    }

    /// Returns true when the index finds the newest event by its own words.
    ///
    /// Today's server loses the triggers that fill the index when its database is made or updated.
    private static func findsNewest(_ session: Session, having page: EventPage) async -> Bool {
        let newest = EventQuery(filter: EventFilter(), limit: 1)
        guard let event = try? await session.call(EventRoutes.list, newest).rows.first?.event,
            let time = event.timestamp, !has(event, in: page)
        else { return true }
        let text = words(of: event.description ?? "").prefix(3).joined(separator: " ")
        guard EventSearch(text).phrase != nil else { return true }
        var filter = EventFilter()
        filter.search = text
        filter.since = time
        filter.until = time
        do throws(APIError) {
            let query = EventQuery(filter: filter, limit: 500)
            return has(event, in: try await session.call(EventRoutes.list, query))
        } catch {
            return error.status != 500
        }
    }

    private static func has(_ event: Event, in page: EventPage) -> Bool {
        page.rows.contains { $0.id == event.id }
    }
}
