import TOMLKit

/// What the config file says, checked (contract section 6).
///
/// ```toml
/// server = "home"
/// format = "table"
/// timeout = 60
/// alias.last = "events list -n 1"
/// ```
package struct Settings: Hashable, Sendable {
    /// A value and its line, counted from 1, where it is known.
    package struct Entry: Hashable, Sendable {
        package var text: String
        package var line: Int?
    }

    package private(set) var path: String?
    package private(set) var entries: [Setting: Entry] = [:]
    /// The words of `alias.NAME`, by name.
    package private(set) var aliases: [String: String] = [:]

    private static let sizeLimit = 1 << 20

    /// Settings that say nothing, as of an absent file.
    package init() {}

    /// Reads the config file; an absent one, or no place for one, says nothing.
    package static func load(_ path: String?) throws(SettingsError) -> Settings {
        guard let path else { return Settings() }
        let contents: FileContents
        do throws(FileSystemError) {
            contents = try FileContents(path, trust: .named, limit: Self.sizeLimit)
        } catch {
            if error.isAbsent { return Settings() }
            throw .file(error)
        }
        guard let text = String(validating: contents.bytes, as: UTF8.self),
            !contents.bytes.contains(0)
        else { throw .syntax(path: path, line: nil, column: nil, words: "not UTF-8 text") }
        return try Settings(text, path: path)
    }

    /// Reads the text of a config file.
    ///
    /// - Throws: `.syntax` for what is no TOML, `.setting` for unknown keys and wrong values.
    package init(_ text: String, path: String) throws(SettingsError) {
        self.path = path
        let table: TOMLTable
        do {
            table = try TOMLTable(string: text)
        } catch {
            let fault = error as? TOMLParseError
            throw .syntax(
                path: path, line: fault?.source.begin.line, column: fault?.source.begin.column,
                words: fault?.description ?? "no TOML")
        }
        let lines = TOMLLines(text)
        for key in table.keys.sorted() {
            guard let value = table[key] else { continue }
            if key == "alias" {
                try readAliases(value, path, lines)
            } else {
                try read(key, value, path, line: lines.line(of: [key]))
            }
        }
    }

    private mutating func read(
        _ key: String, _ value: any TOMLValueConvertible, _ path: String, line: Int?
    ) throws(SettingsError) {
        func refuse(_ fault: String) -> SettingsError {
            .setting(
                SettingError(
                    name: key, origin: .configuration(path: path, line: line), fault: fault))
        }
        guard let setting = Setting(rawValue: key), setting.isConfigurable else {
            throw refuse("is no setting")
        }
        guard let text = Self.text(of: value, for: setting.kind) else {
            throw refuse(
                setting.kind == .text ? "must be text" : setting.fault(in: "") ?? "is of no use")
        }
        if let fault = setting.fault(in: text) { throw refuse(fault) }
        entries[setting] = Entry(text: text, line: line)
    }

    private mutating func readAliases(
        _ value: any TOMLValueConvertible, _ path: String, _ lines: TOMLLines
    ) throws(SettingsError) {
        func refuse(_ name: String, _ fault: String, _ line: Int?) -> SettingsError {
            .setting(
                SettingError(
                    name: name, origin: .configuration(path: path, line: line), fault: fault))
        }
        guard let table = value.table else {
            throw refuse("alias", "must be a table of names and words", lines.line(of: ["alias"]))
        }
        for name in table.keys {
            guard let words = table[name]?.string, !words.isEmpty else {
                throw refuse(
                    "alias.\(name)", "must be text", lines.line(of: ["alias", name]))
            }
            aliases[name] = words
        }
    }

    /// The value as text where its TOML type fits the setting.
    private static func text(
        of value: any TOMLValueConvertible, for kind: Setting.Kind
    ) -> String? {
        switch (kind, value.type) {
        case (.text, .string), (.choice, .string), (.duration, .string),
            (.credentialStore, .string):
            value.string
        case (.flag, .bool): value.bool.map { String($0) }
        case (.count, .int), (.duration, .int): value.int.map { String($0) }
        case (.duration, .double): value.double.map { String($0) }
        default: nil
        }
    }
}

/// Why the config file cannot be used.
package enum SettingsError: Error, Hashable, Sendable {
    case file(FileSystemError)
    /// It is no TOML; line and column are counted from 1.
    case syntax(path: String, line: Int?, column: Int?, words: String)
    case setting(SettingError)
}

extension SettingsError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .file(let error): error.description
        case .syntax(let path, let line, let column, let words):
            ([path] + [line, column].compactMap { $0.map { String($0) } }).joined(separator: ":")
                + ": \(words)"
        case .setting(let error): error.description
        }
    }
}
