import ArgusAccount
import ArgusCore
import Glibc
import Testing

/// Config files that people or programs have damaged.
@Suite("Fuzz of the config file")
struct ConfigFuzzTests {
    /// Files are small, so that each run of a command pays for many of these.
    private static let runs =
        40 * (getenv("ARGUS_FUZZ").flatMap { Int(String(cString: $0)) } ?? 25)

    private static let sample = """
        # mine
        server = "home"   # the house
        format = 'table'
        utc = true
        timeout = "30s"
        retries = 2

        [alias]
        porch = "cameras snapshot 'Front Door' -o -"
        # the end

        """

    private static let longValue = """
        "week" = \"\"\"events list
          # no comment
          --since 7d\"\"\"

        """

    private static let pieces = [
        "\"\"\"", "'''", "\"", "'", "=", ".", "#", "[", "]]", "[[alias]]\n", "[alias]\n",
        "\nalias = {a = \"x\", b = 1}\n", "\nalias.porch = 1\n", "\nutc = true\n", "\r\n", "\r",
        "\u{feff}", "\u{1}", "\u{1b}[2J", "\\", "\\u0000", "\\ud800", "\u{202e}", "1e999", "-0",
        "1979-05-27T07:32:00Z", " = 1979-05-27T", "0x7fffffffffffffffff", "nan", "\n\"\" = 1\n",
        "\n[a.b.c.d]\n",
        "\n= 1\n", "[1, [2, [3", " = [}\n", "x = [", "{", "}", "é", "\u{1F3E0}",
    ]

    private static let keys = [
        ("utc", "false"), ("format", "json"), ("server", "it's \"quoted\"\n"), ("retries", "7"),
        ("alias.porch", "cameras list"), ("alias.new", "events list"), ("timeout", "5m"),
    ]

    private static func damaged(_ chance: inout Chance) -> String {
        var bytes = Array((sample + (chance.next(2) == 0 ? longValue : "")).utf8)
        for _ in 0...chance.next(4) {
            let place = chance.next(bytes.count + 1)
            switch chance.next(6) {
            case 0: bytes.removeLast(bytes.count - place)
            case 1:
                let end = min(bytes.count, place + chance.next(60))
                bytes.insert(contentsOf: Array(bytes[place..<end]), at: end)
            case 2: bytes.removeSubrange(place..<min(bytes.count, place + chance.next(20)))
            case 3: bytes.insert(UInt8(chance.next(256)), at: place)
            case 4 where chance.next(50) == 0:
                bytes.insert(
                    contentsOf: Array(repeating: UInt8(ascii: "["), count: 5000), at: place)
            default: bytes.insert(contentsOf: pieces[chance.next(pieces.count)].utf8, at: place)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The values of everything that is set, as far as it makes sense.
    private static func values(_ text: String) -> [String: String]? {
        guard let settings = try? Settings.read(text, path: "config.toml").settings else {
            return nil
        }
        let precedence = Precedence(environment: Environment([:]), settings: settings)
        var values = settings.aliases.mapValues(\.text)
        for setting in Setting.configurable {
            values[setting.rawValue] = (try? precedence.value(of: setting))?.text
        }
        return values
    }

    private static func comments(in text: String) -> [Substring] {
        text.split(whereSeparator: \.isNewline).filter { $0.hasPrefix("#") }
    }

    @Test("reading and changing a damaged file neither crashes nor changes anything else")
    func damagedFiles() throws {
        var changes = 0
        for seed in 0..<Self.runs {
            var chance = Chance(state: UInt64(seed))
            let text = Self.damaged(&chance)
            let before = Self.values(text)
            let (name, value) = Self.keys[chance.next(Self.keys.count)]
            let key = ConfigurationKey(name)
            let literal: TOMLLiteral =
                if case .setting(let setting) = key {
                    TOMLLiteral(value, for: setting.kind)
                } else {
                    TOMLLiteral(string: value)
                }
            guard var file = try? ConfigurationText(text, path: "config.toml"),
                (try? file.set(key, to: literal)) != nil
            else { continue }
            changes += 1
            var expected = try #require(before, "seed \(seed): changed, though it was not read")
            expected[name.replacing("alias.", with: "")] = value
            #expect(Self.values(file.text) == expected, "seed \(seed)")
            // What looks like a comment in a value of several lines goes with the value.
            if !text.contains("\"\"\""), !text.contains("'''") {
                #expect(Self.comments(in: file.text) == Self.comments(in: text), "seed \(seed)")
            }
            _ = try? file.unset(key)
        }
        // Most damage leaves a file that can be changed, so that the rest was looked at.
        #expect(changes > Self.runs / 10)
    }
}
