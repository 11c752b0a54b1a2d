import ArgusKit

/// The differences between preferences, in words.
struct PreferencesDifference {
    /// One line for each difference.
    private(set) var lines: [String] = []

    /// Compares preferences; `names` are those of the cameras before and after.
    init(_ old: PushPreferences, _ new: PushPreferences, names: ([String]?, [String]?)) {
        add("cameras", Self.words(names.0), Self.words(names.1))
        add("types", Self.words(old.objects), Self.words(new.objects))
        add("quiet hours", Self.quietWords(old), Self.quietWords(new))
        if !new.isQuietEnabled { add("time zone", old.timezone, new.timezone) }
        add("sound", old.hasSound ? "on" : "off", new.hasSound ? "on" : "off")
        if lines.isEmpty { lines = ["nothing changed"] }
    }

    private mutating func add(_ name: String, _ before: String, _ after: String) {
        if before != after { lines.append("\(name): \(before) -> \(after)") }
    }

    private static func words(_ list: [String]?) -> String {
        guard let list else { return "all" }
        return list.isEmpty ? "none" : list.joined(separator: ", ")
    }

    private static func quietWords(_ preferences: PushPreferences) -> String {
        guard preferences.isQuietEnabled else { return "off" }
        let hours = "\(preferences.quietStart ?? "?")-\(preferences.quietEnd ?? "?")"
        return "\(hours) \(preferences.timezone)"
    }
}

extension SignedInServer {
    /// The differences of a change, one per line.
    func differences(
        _ changed: PushPreferencesService.Changed
    ) async throws(Failure) -> [String] {
        let (old, new) = (changed.before, changed.after.preferences)
        let names =
            old.cameras == new.cameras
            ? (nil, nil) : (try await cameraNames(of: old), try await cameraNames(of: new))
        return PreferencesDifference(old, new, names: names).lines
    }
}
