import ArgusCore

extension Field {
    /// The field with red and yellow states.
    var withStateColors: Field { coloringTexts { TextColor(state: $0) } }

    /// The field with a colour for each known type of event, or for the first of several types.
    var withTypeColors: Field {
        coloringTexts { TextColor(eventType: String($0.prefix { $0 != " " })) }
    }

    /// The field with green and red outcomes of deliveries.
    var withOutcomeColors: Field {
        coloringTexts { word in
            switch word {
            case "sent", "silent": .green
            case "failed", "removed", "deactivated": .red
            default: nil
            }
        }
    }

    /// The field with a colour for `no`.
    func coloringNo(_ color: TextColor) -> Field {
        colored { $0 == .bool(false) ? color : nil }
    }

    /// The field with a colour for `yes`.
    func coloringYes(_ color: TextColor) -> Field {
        colored { $0 == .bool(true) ? color : nil }
    }

    private func coloringTexts(_ color: @escaping @Sendable (String) -> TextColor?) -> Field {
        colored { if case .text(let text) = $0 { color(text) } else { nil } }
    }
}

extension TextColor {
    /// The colour of a state such as `offline`; nil if it needs no attention.
    init?(state: String) {
        switch state {
        case "offline", "failed", "failure", "error", "disconnected", "rejected", "expired",
            "unhealthy":
            self = .red
        case "warning", "reconnecting", "connecting", "degraded", "waiting", "inactive":
            self = .yellow
        default: return nil
        }
    }

    /// The colour of a type of event; nil for an unknown one.
    init?(eventType: String) {
        switch eventType {
        case "person": self = .cyan
        case "vehicle": self = .blue
        case "package": self = .magenta
        case "animal": self = .green
        case "ring": self = .yellow
        case "motion": self = .dim
        default: return nil
        }
    }
}
