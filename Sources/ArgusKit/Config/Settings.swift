import TOMLKit

/// The checked contents of the config file.
///
/// ```toml
/// server = "home"
/// format = "table"
/// timeout = 60
/// alias.last = "events list -n 1"
/// ```
package struct Settings: Hashable, Sendable {
    /// A value and its line, counted from 1, if known.
    package struct Entry: Hashable, Sendable {
        package var text: String
        package var line: Int?
    }

    package private(set) var path: String?
    package private(set) var entries: [Setting: Entry] = [:]
    /// The values of `alias.NAME`, by name.
    package private(set) var aliases: [String: Entry] = [:]

    private static let sizeLimit = 1 << 20

    package init() {}

    /// Reads the config file; without a file or a folder for it the settings are empty.
    /// - Throws: `SettingsError`.
    package static func load(_ path: String?) throws(SettingsError) -> Settings {
        guard let path, let text = try text(of: path) else { return Settings() }
        return try Settings(text, path: path)
    }

    /// The text of the config file; nil if there is none.
    /// - Throws: `.file`, or `.syntax` if it is not UTF-8.
    package static func text(of path: String) throws(SettingsError) -> String? {
        let bytes = try rethrowing(
            try FileContents.bytes(ifAny: path, trust: .settings, limit: Self.sizeLimit),
            as: SettingsError.file)
        guard let bytes else { return nil }
        guard let text = String(validating: bytes, as: UTF8.self), !bytes.contains(0)
        else { throw .syntax(path: path, line: nil, column: nil, words: "not UTF-8 text") }
        return text
    }

    /// Parses the text of a config file.
    /// - Throws: `.syntax` if it is not TOML, `.settings` for unknown keys and wrong values, except
    ///   those checked on use.
    package init(_ text: String, path: String) throws(SettingsError) {
        let (settings, faults) = try Self.read(text, path: path)
        if let first = faults.first(where: { !$0.isCheckedOnUse }) {
            throw .settings(first, others: faults.count - 1)
        }
        self = settings
    }

    /// Parses as much of a config file as possible and returns the faults in the order of the text.
    /// - Throws: `.syntax` if it is not TOML.
    package static func read(
        _ text: String, path: String
    ) throws(SettingsError) -> (settings: Settings, faults: [SettingError]) {
        var reading = Reading(path: path, outline: TOMLOutline(text))
        let table = try table(text, reading.outline, path: path)
        for key in table.keys.sorted() {
            guard let value = table[key] else { continue }
            if key == "alias" {
                reading.readAliases(value)
            } else if key == Setting.pushTable {
                reading.readTable(key, value)
            } else {
                reading.read([key], value)
            }
        }
        let faults = reading.faults.sorted { $0.place < $1.place }
        return (reading.settings, faults.map(\.error))
    }

    /// Parses a text after checking its headers.
    /// - Throws: `.syntax` if it is not TOML.
    static func table(
        _ text: String, _ outline: TOMLOutline, path: String
    ) throws(SettingsError) -> TOMLTable {
        if let fault = outline.fault {
            let (line, column) = outline.place(at: fault.offset)
            throw .syntax(path: path, line: line, column: column, words: fault.words)
        }
        do {
            return try TOMLTable(string: text)
        } catch {
            let fault = error as? TOMLParseError
            throw .syntax(
                path: path, line: fault?.source.begin.line, column: fault?.source.begin.column,
                words: fault.map { plain($0.description) } ?? "not valid TOML")
        }
    }

    /// Rewords a message of the parser for users of the file.
    private static func plain(_ words: String) -> String {
        var fault = words[...]
        if fault.hasPrefix("Error while parsing"), let colon = fault.firstRange(of: ": ") {
            fault = fault[colon.upperBound...]
        }
        if fault.hasPrefix("could not determine value type") { return "text needs quotes" }
        if fault.hasPrefix("cannot redefine"), let name = fault.split(separator: "'").last {
            return "'\(name)' is set twice"
        }
        if fault.contains("control characters") || fault.contains("end-of-file") {
            return "a quote or bracket is not closed"
        }
        if fault.hasPrefix("expected a comment or whitespace") {
            return "more than one value in the line, or text without quotes"
        }
        return String(fault).replacing("saw '\\n'", with: "found the end of the line")
    }

    /// A text being parsed: its settings and its faults.
    private struct Reading {
        let outline: TOMLOutline
        var settings = Settings()
        var faults: [(place: (line: Int, column: Int), error: SettingError)] = []

        init(path: String, outline: TOMLOutline) {
            self.outline = outline
            settings.path = path
        }

        mutating func readTable(_ name: String, _ value: any TOMLValueConvertible) {
            guard let table = value.table else {
                return refuse([name], "must be a table of settings")
            }
            for key in table.keys.sorted() {
                if let value = table[key] { read([name, key], value) }
            }
        }

        mutating func read(_ key: [String], _ value: any TOMLValueConvertible) {
            let setting = Setting(rawValue: key.joined(separator: "."))
            // A quoted key with a dot in it is not one of a table.
            guard let setting, setting.isConfigurable, (setting.table == nil) == (key.count == 1)
            else { return refuse(key, SettingError.unknown) }
            guard let text = Settings.text(of: value, for: setting.kind) else {
                let need = setting.kind == .text ? "must be text" : setting.fault(in: "")
                return refuse(key, need ?? "cannot be used")
            }
            if let fault = setting.fault(in: text) {
                refuse(key, fault, isCheckedOnUse: setting.isCheckedOnUse)
                guard setting.isCheckedOnUse else { return }
            }
            settings.entries[setting] = Entry(text: text, line: outline.place(of: key)?.line)
        }

        mutating func readAliases(_ value: any TOMLValueConvertible) {
            guard let table = value.table else {
                return refuse(["alias"], "must be a table of names and words")
            }
            for name in table.keys {
                let key = ["alias", name]
                let words = table[name]?.string ?? ""
                if !Alias.isName(name) {
                    refuse(key, "must be named by small letters, digits and hyphens")
                } else if let fault = Alias.fault(in: words) {
                    refuse(key, fault)
                } else {
                    settings.aliases[name] = Entry(text: words, line: outline.place(of: key)?.line)
                }
            }
        }

        private mutating func refuse(
            _ key: [String], _ fault: String, isCheckedOnUse: Bool = false
        ) {
            let place = outline.place(of: key)
            let error = SettingError(
                name: key.joined(separator: "."),
                origin: .configuration(
                    path: settings.path ?? "", line: place?.line, column: place?.column),
                fault: fault, isCheckedOnUse: isCheckedOnUse)
            faults.append((place ?? (0, 0), error))
        }
    }

    /// The value as text if its TOML type fits the setting.
    fileprivate static func text(
        of value: any TOMLValueConvertible, for kind: Setting.Kind
    ) -> String? {
        switch (kind, value.type) {
        case (.flag, .bool): value.bool.map { String($0) }
        case (.count, .int), (.duration, .int): value.int.map { String($0) }
        case (.duration, .double): value.double.map { String($0) }
        case (.flag, _), (.count, _): nil
        default: value.string
        }
    }
}

/// The reason why the config file is unusable.
package enum SettingsError: Error, Hashable, Sendable, CustomStringConvertible {
    case file(FileSystemError)
    /// It is not TOML; line and column are counted from 1.
    case syntax(path: String, line: Int?, column: Int?, words: String)
    /// The first unknown key or wrong value, and the number of others.
    case settings(SettingError, others: Int)

    package var description: String {
        switch self {
        case .file(let error): error.description
        case .syntax(let path, let line, let column, let words):
            ([path] + [line, column].compactMap { $0.map { String($0) } }).joined(separator: ":")
                + ": \(words)"
        case .settings(let error, others: 0): error.description
        case .settings(let error, let others):
            "\(error); \(others) more \(others == 1 ? "thing" : "things") in it cannot be used"
        }
    }

    /// True if this user may not read the file.
    package var isForbiddenFile: Bool {
        if case .file(let error) = self { error.isForbidden } else { false }
    }
}
