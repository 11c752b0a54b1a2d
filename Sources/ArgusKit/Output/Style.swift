/// Colours and weights for a terminal (ECMA-48, section 8.3.117); plain text when off.
package struct Style: Hashable, Sendable {
    /// Whether anything but the text is emitted.
    package var isOn: Bool

    package init(isOn: Bool) {
        self.isOn = isOn
    }

    /// Emits nothing but the text.
    package static let plain = Style(isOn: false)

    /// The text in bold.
    package func bold(_ text: String) -> String { wrap(text, "1") }
    /// The text in a fainter colour.
    package func dim(_ text: String) -> String { wrap(text, "2") }
    /// The text in red, for failures.
    package func red(_ text: String) -> String { wrap(text, "31") }
    /// The text in green, for what went well.
    package func green(_ text: String) -> String { wrap(text, "32") }
    /// The text in yellow, for warnings.
    package func yellow(_ text: String) -> String { wrap(text, "33") }

    private func wrap(_ text: String, _ code: String) -> String {
        isOn ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
    }
}

/// When colours are used: the values of `--color`.
package enum ColorChoice: String, CaseIterable, Sendable {
    /// On a terminal, unless `NO_COLOR` or `TERM=dumb` says otherwise.
    case auto
    /// Even into a pipe.
    case always
    case never
}
