package import ArgusCore

/// Decides between option, environment, config file and default, in this order.
package struct Precedence: Sendable {
    /// The effective value and its origin.
    package struct Resolved: Hashable, Sendable {
        package var text: String
        package var origin: SettingOrigin

        /// True if a setting of kind `flag` is on.
        package var isOn: Bool { text == "true" }
    }

    package var environment: Environment
    package var settings: Settings

    package init(environment: Environment, settings: Settings) {
        self.environment = environment
        self.settings = settings
    }

    /// The effective value of a setting; the parser has checked the option.
    /// - Throws: `.setting` for a variable with an invalid value.
    package func value(
        of setting: Setting, option: String? = nil
    ) throws(AccountError) -> Resolved? {
        if let option { return Resolved(text: option, origin: .option) }
        if let variable = setting.variable, let text = text(ofVariableFor: setting) {
            if !setting.isCheckedOnUse, let fault = setting.validationError(in: text) {
                throw .setting(
                    SettingFault(name: variable, origin: .variable(variable), fault: fault))
            }
            return Resolved(text: text, origin: .variable(variable))
        }
        if let entry = settings.entries[setting] {
            let origin = SettingOrigin.configuration(path: settings.path ?? "", line: entry.line)
            return Resolved(text: entry.text, origin: origin)
        }
        return setting.defaultValue.map { Resolved(text: $0, origin: .defaultValue) }
    }

    /// The fault of a setting's variable, as the end of a sentence; nil if it is valid or unset.
    package func fault(of setting: Setting) -> String? {
        text(ofVariableFor: setting).flatMap(setting.validationError(in:))
    }

    private func text(ofVariableFor setting: Setting) -> String? {
        guard let raw = setting.variable.flatMap({ environment[$0] }) else { return nil }
        guard setting.kind == .flag else { return raw }
        // Any value turns a flag on, except those that plainly mean no.
        return ["0", "false", "no", "off"].contains(raw.lowercased()) ? "false" : "true"
    }
}
