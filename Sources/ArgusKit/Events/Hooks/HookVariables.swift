import ArgusCore

/// The environment of a hook: that of argus without its secrets, and the event (docs/watching.md,
/// "A command for each event").
///
/// Texts of the network are data here; only a hook that evaluates one as code makes it more.
package enum HookVariables {
    /// The beginnings of the names of variables that no hook inherits: secrets of argus and where they
    /// are, the service manager's own, and the event of an argus around this one.
    static let removed = [
        "ARGUS_TOKEN", "ARGUS_API_KEY", "CREDENTIALS_DIRECTORY=", "NOTIFY_SOCKET=", "WATCHDOG_",
        prefix,
    ]

    /// The beginning of the names of variables that a hook gets.
    static let prefix = "ARGUS_EVENT_"

    /// The most bytes of a value; a single variable of Linux holds 128 KiB (MAX_ARG_STRLEN).
    static let maxValueSize = 32 << 10

    /// The variables of an event as `NAME=value` words; one without a value is empty.
    ///
    /// `picture` is the path of its picture; nil if none was asked for. `others` are further names
    /// without the prefix, and their values.
    package static func words(
        of event: Event, on server: String, picture: String?,
        and others: [(name: String, value: String)] = []
    ) -> [[CChar]] {
        var values = [
            ("ID", event.id), ("TYPE", event.type), ("CAMERA_ID", event.cameraID ?? ""),
            ("CAMERA_NAME", event.cameraName ?? ""),
            ("TIMESTAMP", event.timestamp?.utcText ?? ""),
            ("DESCRIPTION", event.description ?? ""), ("SERVER_NAME", server),
        ]
        if let picture { values.append(("THUMBNAIL", picture)) }
        return (values + others).map { name, value in
            Array("\(prefix)\(name)=\(fitted(value))".utf8CString)
        }
    }

    /// The variables of the alert rules that match an event.
    package static func ofRules(_ rules: [AlertRule]) -> [String: String] {
        [
            "RULE_ID": rules.map(\.id).joined(separator: " "),
            "RULE_NAME": rules.map(\.name).joined(separator: ", "),
        ]
    }

    /// The ids of rules in such variables.
    package static func ruleIDs(in variables: [String: String]) -> [String] {
        (variables["RULE_ID"] ?? "").split(separator: " ").map(String.init)
    }

    /// Reads variables of a document.
    static func read(_ value: JSONValue) throws(StateUnreadable) -> [String: String] {
        var object = try JSONObject(value)
        var variables: [String: String] = [:]
        for name in object.rest.keys { variables[name] = try object.text(name) }
        return variables
    }

    /// The text without NUL, cut to `maxValueSize` bytes between two characters.
    static func fitted(_ text: String) -> String {
        String(text.unicodeScalars.filter { $0 != "\0" }).beginning(atMost: maxValueSize)
    }
}
