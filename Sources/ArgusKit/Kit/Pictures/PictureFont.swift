import ArgusCore

/// The font of texts in pictures: ASCII, Latin-1 and `…`, each in 8 × 13 pixels.
///
/// It is "Fixed" of the X Window System, `8x13.bdf` of font-misc-misc 1.1.2, whose copyright notice is
/// "Public domain font.  Share and enjoy."
package enum PictureFont {
    /// The width and the height of a character.
    package static let (width, height) = (8, 13)

    /// The rows of a character from the top, the highest bit at the left; nil if the font lacks it.
    static func rows(of character: Character) -> ArraySlice<UInt8>? {
        places[character].map { glyphs[$0 * height..<($0 + 1) * height] }
    }

    /// The text as far as the font has it, without signs such as emoji; nil if it has letters or digits
    /// of another script, or nothing is left.
    package static func drawable(_ text: String) -> String? {
        var drawable = ""
        for character in text {
            if let near = substitutes[character] {
                drawable.append(near)
            } else if character.isWhitespace || places[character] != nil {
                drawable.append(character.isWhitespace ? " " : character)
            } else if character.isLetter || character.isNumber {
                return nil
            }
        }
        let words = drawable.split(separator: " ")
        return words.isEmpty ? nil : words.joined(separator: " ")
    }

    /// The text with `…` for its end if it is wider than `width` pixels.
    package static func truncate(_ text: String, to width: Int) -> String {
        let count = max(0, width / self.width)
        guard text.count > count else { return text }
        return count == 0 ? "" : text.prefix(count - 1) + "…"
    }

    private static let substitutes: [Character: Character] = [
        "‘": "'", "’": "'", "“": "\"", "”": "\"", "„": "\"", "‐": "-", "‑": "-", "–": "-",
        "—": "-", "→": ">",
    ]

    /// The characters in the order of the glyphs.
    private static let places: [Character: Int] = {
        let codes = Array(0x20...0x7E) + Array(0xA0...0xFF) + [0x2026]
        let characters = codes.compactMap { Unicode.Scalar($0).map(Character.init) }
        return Dictionary(uniqueKeysWithValues: zip(characters, characters.indices))
    }()

    private static let glyphs: [UInt8] = {
        let glyphs = Base64.decodeEitherAlphabet(source) ?? []
        precondition(glyphs.count == places.count * height)
        return glyphs
    }()

    private static let source = """
        AAAAAAAAAAAAAAAAAAAAEBAQEBAQEAAQAAAAACQkJAAAAAAAAAAAAAAAJCR+JH4kJAAAAAAAEDxQUDgUFHgQAAAAACJS\
        JAgIECQqRAAAAAAAADBISDBKRDoAAAAAEBAQAAAAAAAAAAAAAAQICBAQEAgIBAAAAAAgEBAICAgQECAAAAAAJBh+GCQA\
        AAAAAAAAAAAAEBB8EBAAAAAAAAAAAAAAAAAAODBAAAAAAAAAAHwAAAAAAAAAAAAAAAAAAAAQOBAAAAACAgQIECBAgIAA\
        AAAAGCRCQkJCQiQYAAAAABAwUBAQEBAQfAAAAAA8QkICBBggQH4AAAAAfgIECBwCAkI8AAAAAAQMFCRERH4EBAAAAAB+\
        QEBcYgICQjwAAAAAHCBAQFxiQkI8AAAAAH4CBAgIEBAgIAAAAAA8QkJCPEJCQjwAAAAAPEJCRjoCAgQ4AAAAAAAAEDgQ\
        AAAQOBAAAAAAABA4EAAAODBAAAAAAgQIECAQCAQCAAAAAAAAAH4AAH4AAAAAAABAIBAIBAgQIEAAAAAAPEJCAgQICAAI\
        AAAAADxCQk5SVkpAPAAAAAAYJEJCQn5CQkIAAAAAeERCRHhEQkR4AAAAADxCQEBAQEBCPAAAAAB4REJCQkJCRHgAAAAA\
        fkBAQHhAQEB+AAAAAH5AQEB4QEBAQAAAAAA8QkBAQE5CRjoAAAAAQkJCQn5CQkJCAAAAAHwQEBAQEBAQfAAAAAAfBAQE\
        BAQERDgAAAAAQkRIUGBQSERCAAAAAEBAQEBAQEBAfgAAAACCgsaqkpKCgoIAAAAAQkJiUkpGQkJCAAAAADxCQkJCQkJC\
        PAAAAAB8QkJCfEBAQEAAAAAAPEJCQkJCUko8AgAAAHxCQkJ8UEhEQgAAAAA8QkBAPAICQjwAAAAA/hAQEBAQEBAQAAAA\
        AEJCQkJCQkJCPAAAAACCgkRERCgoKBAAAAAAgoKCgpKSkqpEAAAAAIKCRCgQKESCggAAAACCgkQoEBAQEBAAAAAAfgIE\
        CBAgQEB+AAAAADwgICAgICAgPAAAAACAgEAgEAgEAgIAAAAAeAgICAgICAh4AAAAABAoRAAAAAAAAAAAAAAAAAAAAAAA\
        AAD+AAAQCAAAAAAAAAAAAAAAAAAAADwCPkJGOgAAAABAQEBcYkJCYlwAAAAAAAAAPEJAQEI8AAAAAAICAjpGQkJGOgAA\
        AAAAAAA8Qn5AQjwAAAAAHCIgIHwgICAgAAAAAAAAADpERDhAPEI8AABAQEBcYkJCQkIAAAAAABAAMBAQEBB8AAAAAAAE\
        AAwEBAQEREQ4AABAQEBESHBIREIAAAAAMBAQEBAQEBB8AAAAAAAAAOySkpKSggAAAAAAAABcYkJCQkIAAAAAAAAAPEJC\
        QkI8AAAAAAAAAFxiQmJcQEBAAAAAAAA6RkJGOgICAgAAAAAAXCIgICAgAAAAAAAAADxCMAxCPAAAAAAAICB8ICAgIhwA\
        AAAAAAAAREREREQ6AAAAAAAAAERERCgoEAAAAAAAAACCgpKSqkQAAAAAAAAAQiQYGCRCAAAAAAAAAEJCQkY6AkI8AAAA\
        AAB+BAgQIH4AAAAADhAQCDAIEBAOAAAAABAQEBAQEBAQEAAAAABwCAgQDBAICHAAAAAAJFRIAAAAAAAAAAAAAAAAAAAA\
        AAAAAAAAAAAQABAQEBAQEBAAAAAAEDhUUFBUOBAAAAAAABwiIHAgICBi3AAAAAAAAEI8JCQ8QgAAAAAAgoJEKHwQfBAQ\
        AAAAABAQEBAAEBAQEAAAABgkIBgkJBgEJBgAAAAkJAAAAAAAAAAAAAAAOESSqqKqkkQ4AAAAAAA4BDxEPAB8AAAAAAAA\
        ABIkSJBIJBIAAAAAAAAAAAB+AgICAAAAAAAAAAAAPAAAAAAAAAA4RJKqqrKqRDgAAAAAAH4AAAAAAAAAAAAAAAAYJCQY\
        AAAAAAAAAAAAABAQfBAQAHwAAAAAMEgIMEB4AAAAAAAAADBIEAhIMAAAAAAAAAAIEAAAAAAAAAAAAAAAAAAAAEJCQkJm\
        WkAAAAA+dHR0NBQUFBQAAAAAAAAAABgAAAAAAAAAAAAAAAAAAAAAAAgYACBgICAgcAAAAAAAAAAAMEhIMAB4AAAAAAAA\
        AACQSCQSJEiQAAAAAEDAQEBC5goSGgYAAABAwEBATPICDBAeAAAAYJAgEJJmChIaBgAAAAAQABAQIEBCQjwAAAAQCAAY\
        JEJCfkJCAAAACBAAGCRCQn5CQgAAABgkABgkQkJ+QkIAAAAyTAAYJEJCfkJCAAAAJCQAGCRCQn5CQgAAABgkGBgkQkJ+\
        QkIAAAAAbpCQkJzwkJCeAAAAADxCQEBAQEBCPAgQABAIAH5AQHhAQH4AAAAIEAB+QEB4QEB+AAAAGCQAfkBAeEBAfgAA\
        ACQkAH5AQHhAQH4AAAAgEAB8EBAQEBB8AAAACBAAfBAQEBAQfAAAABgkAHwQEBAQEHwAAABERAB8EBAQEBB8AAAAAHhE\
        QkLiQkJEeAAAAGSYAILCopKKhoIAAAAgEAB8goKCgoJ8AAAACBAAfIKCgoKCfAAAABgkAHyCgoKCgnwAAABkmAB8goKC\
        goJ8AAAAREQAfIKCgoKCfAAAAAAAAEIkGBgkQgAAAAACPEZKSlJSUmI8QAAAIBAAQkJCQkJCPAAAAAgQAEJCQkJCQjwA\
        AAAYJABCQkJCQkI8AAAAJCQAQkJCQkJCPAAAAAgQAEREKBAQEBAAAAAAQHxCQkJ8QEBAAAAAADhEREhQTEJCXAAAAAAQ\
        CAA8Aj5CRjoAAAAABAgAPAI+QkY6AAAAABgkADwCPkJGOgAAAAAyTAA8Aj5CRjoAAAAAJCQAPAI+QkY6AAAAGCQYADwC\
        PkJGOgAAAAAAAABsEnyQkmwAAAAAAAAAPEJAQEI8CBAAABAIADxCfkBCPAAAAAAIEAA8Qn5AQjwAAAAAGCQAPEJ+QEI8\
        AAAAACQkADxCfkBCPAAAAAAgEAAwEBAQEHwAAAAAECAAMBAQEBB8AAAAADBIADAQEBAQfAAAAABISAAwEBAQEHwAAAAk\
        GCgEPEJCQkI8AAAAADJMAFxiQkJCQgAAAAAgEAA8QkJCQjwAAAAACBAAPEJCQkI8AAAAABgkADxCQkJCPAAAAAAyTAA8\
        QkJCQjwAAAAAJCQAPEJCQkI8AAAAAAAQEAB8ABAQAAAAAAAAAAI8RkpSYjxAAAAAIBAAREREREQ6AAAAAAgQAERERERE\
        OgAAAAAYJABERERERDoAAAAAKCgAREREREQ6AAAAAAgQAEJCQkY6AkI8AAAAQEBcYkJCYlxAQAAAJCQAQkJCRjoCQjwA\
        AAAAAAAAAAAAVAAA
        """
}
