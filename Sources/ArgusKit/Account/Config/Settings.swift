import ArgusCore

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
    /// - Throws: `AccountError`.
    package static func load(_ path: String?) throws(AccountError) -> Settings {
        guard let path, let text = try text(of: path) else { return Settings() }
        return try Settings(text, path: path)
    }

    /// The text of the config file; nil if there is none.
    /// - Throws: `.configurationUnreadable`, or `.configurationSyntax` if it is not UTF-8.
    package static func text(of path: String) throws(AccountError) -> String? {
        let bytes = try rethrowing(
            FileContents.bytes(ifAny: path, trust: .settings, limit: Self.sizeLimit),
            as: AccountError.configurationUnreadable)
        guard let bytes else { return nil }
        guard let text = String(validating: bytes, as: UTF8.self), !bytes.contains(0)
        else {
            throw .configurationSyntax(path: path, line: nil, column: nil, words: "not UTF-8 text")
        }
        return text
    }

    /// Parses the text of a config file.
    /// - Throws: `.configurationSyntax` if it is not the TOML that argus reads, `.setting` for unknown keys and wrong values, except
    ///   those checked on use.
    package init(_ text: String, path: String) throws(AccountError) {
        let (settings, faults) = try Self.read(text, path: path)
        if let first = faults.first(where: { !$0.isCheckedOnUse }) {
            throw .setting(first, others: faults.count - 1)
        }
        self = settings
    }

    /// Parses as much of a config file as possible and returns the faults in the order of the text.
    /// - Throws: `.configurationSyntax` if it is not the TOML that argus reads.
    package static func read(
        _ text: String, path: String
    ) throws(AccountError) -> (settings: Settings, faults: [SettingFault]) {
        let content: TOMLText
        do throws(TOMLText.Fault) { content = try TOMLText(text) } catch {
            throw AccountError(error, path: path)
        }
        var reading = Reading(path: path)
        for entry in content.entries { reading.read(entry) }
        return (reading.settings, reading.faults)
    }

    /// A text being parsed: its settings and its faults.
    private struct Reading {
        var settings = Settings()
        var faults: [SettingFault] = []

        init(path: String) { settings.path = path }

        mutating func read(_ entry: TOMLText.Entry) {
            let key = entry.key
            if key[0] == "alias" { return readAlias(entry) }
            if key == [Setting.pushTable] { return refuse(entry, "must be a table of settings") }
            let setting = Setting(rawValue: key.joined(separator: "."))
            // A quoted key with a dot in it is not one of a table.
            guard let setting, setting.isConfigurable, (setting.table == nil) == (key.count == 1)
            else { return refuse(entry, SettingFault.unknown) }
            guard let text = Settings.text(of: entry.value, for: setting.kind) else {
                let need = setting.kind == .text ? "must be text" : setting.validationError(in: "")
                return refuse(entry, need ?? "cannot be used")
            }
            if let fault = setting.validationError(in: text) {
                refuse(entry, fault, isCheckedOnUse: setting.isCheckedOnUse)
                guard setting.isCheckedOnUse else { return }
            }
            settings.entries[setting] = Entry(text: text, line: entry.line + 1)
        }

        private mutating func readAlias(_ entry: TOMLText.Entry) {
            guard entry.key.count > 1 else {
                return refuse(entry, "must be a table of names and words")
            }
            let name = entry.key.dropFirst().joined(separator: ".")
            let words = if case .text(let words) = entry.value { words } else { "" }
            if !Alias.isName(name) {
                refuse(entry, "must be named by small letters, digits and hyphens")
            } else if let fault = Alias.validationError(in: words) {
                refuse(entry, fault)
            } else {
                settings.aliases[name] = Entry(text: words, line: entry.line + 1)
            }
        }

        private mutating func refuse(
            _ entry: TOMLText.Entry, _ fault: String, isCheckedOnUse: Bool = false
        ) {
            faults.append(
                SettingFault(
                    name: entry.key.joined(separator: "."),
                    origin: .configuration(
                        path: settings.path ?? "", line: entry.line + 1, column: entry.column),
                    fault: fault, isCheckedOnUse: isCheckedOnUse))
        }
    }

    /// The value as text if its type fits the setting.
    fileprivate static func text(of value: TOMLText.Value, for kind: Setting.Kind) -> String? {
        switch (kind, value) {
        case (.flag, .flag(let flag)): String(flag)
        case (.count, .number(let number)), (.duration, .number(let number)): number
        case (.flag, _), (.count, _): nil
        case (_, .text(let text)): text
        default: nil
        }
    }
}

extension AccountError {
    /// The error for a config file that is not the TOML that argus reads.
    init(_ fault: TOMLText.Fault, path: String) {
        self = .configurationSyntax(
            path: path, line: fault.line, column: fault.column, words: fault.words)
    }
}
