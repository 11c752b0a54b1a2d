/// Colours and weights for a terminal (ECMA-48, section 8.3.117); plain text when off.
package struct Style: Hashable, Sendable {
    /// True if escape sequences are emitted.
    package var isOn: Bool

    package init(isOn: Bool) {
        self.isOn = isOn
    }

    /// Emits only the text.
    package static let plain = Style(isOn: false)

    /// The text in bold.
    package func bold(_ text: String) -> String { wrap(text, "1") }
    /// The text in a fainter colour.
    package func dim(_ text: String) -> String { wrap(text, "2") }
    /// The text in red, for failures.
    package func red(_ text: String) -> String { wrap(text, "31") }
    /// The text in green, for success.
    package func green(_ text: String) -> String { wrap(text, "32") }
    /// The text in yellow, for warnings.
    package func yellow(_ text: String) -> String { wrap(text, "33") }

    private func wrap(_ text: String, _ code: String) -> String {
        isOn ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
    }
}

/// The values of `--color`.
package enum ColorChoice: String, CaseIterable, Sendable {
    /// On a terminal, unless `NO_COLOR` or `TERM=dumb` is set.
    case auto
    /// Also in a pipe.
    case always
    case never
}
