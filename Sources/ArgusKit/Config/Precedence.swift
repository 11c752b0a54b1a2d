/// Option over environment over config over default: the one place that decides it.
package struct Precedence: Sendable {
    /// The value that holds, and where it came from.
    package struct Resolved: Hashable, Sendable {
        package var text: String
        package var origin: SettingOrigin

        /// Whether a setting of kind `flag` is on.
        package var isOn: Bool { text == "true" }
    }

    package var environment: Environment
    package var settings: Settings

    package init(environment: Environment, settings: Settings) {
        self.environment = environment
        self.settings = settings
    }

    /// Decides one setting; nil when nothing says anything and there is no default.
    ///
    /// The value of its option was checked when the words were parsed.
    /// - Throws: `SettingError` for a variable with an impossible value.
    package func value(
        of setting: Setting, option: String? = nil
    ) throws(SettingError) -> Resolved? {
        if let option { return Resolved(text: option, origin: .option) }
        if let variable = setting.variable, let text = text(ofVariableFor: setting) {
            if !setting.isJudgedInUse, let fault = setting.fault(in: text) {
                throw SettingError(name: variable, origin: .variable(variable), fault: fault)
            }
            return Resolved(text: text, origin: .variable(variable))
        }
        if let entry = settings.entries[setting] {
            let origin = SettingOrigin.configuration(path: settings.path ?? "", line: entry.line)
            return Resolved(text: entry.text, origin: origin)
        }
        return setting.builtIn.map { Resolved(text: $0, origin: .builtIn) }
    }

    /// What is wrong with the variable of a setting, as the end of a sentence; nil when it is right
    /// or not set.
    package func fault(of setting: Setting) -> String? {
        text(ofVariableFor: setting).flatMap(setting.fault)
    }

    private func text(ofVariableFor setting: Setting) -> String? {
        guard let raw = setting.variable.flatMap({ environment[$0] }) else { return nil }
        return setting.kind == .flag ? Self.flag(raw) : raw
    }

    /// Any value switches a variable on, except those that plainly say no.
    private static func flag(_ text: String) -> String {
        ["0", "false", "no", "off"].contains(text.lowercased()) ? "false" : "true"
    }
}
