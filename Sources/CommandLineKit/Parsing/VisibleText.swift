/// A word of the user's in quotes, its control characters made visible, long ones cut.
///
/// Also used by tools for words that their own checks complain about.
package func quoted(_ word: some StringProtocol) -> String {
    let limit = 60
    let visible = visibleText(word.prefix(limit))
    return word.count > limit ? "'\(visible)…'" : "'\(visible)'"
}

/// Text whose controls, bidirectional overrides and zero-width characters are spelled out.
///
/// `ESC` becomes `\x1b`, U+202E `\u{202e}`; a backslash is doubled, so the text stays unambiguous.
func visibleText(_ text: some StringProtocol) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
        if scalar == "\\" {
            result += "\\\\"
        } else if isInvisible(scalar) {
            let digits = String(scalar.value, radix: 16)
            if scalar.value < 0x100 {
                result += "\\x" + (digits.count < 2 ? "0" : "") + digits
            } else {
                result += "\\u{\(digits)}"
            }
        } else {
            result.unicodeScalars.append(scalar)
        }
    }
    return result
}

private func isInvisible(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator: true
    default: false
    }
}
