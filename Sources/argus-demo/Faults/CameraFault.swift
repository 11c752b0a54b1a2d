/// A failure of cameras that the server does not notice: they stay connected.
struct CameraFault: Sendable, Equatable {
    enum Kind: String, Sendable, CaseIterable {
        /// No events, neither new ones nor in the past day.
        case stopped
        /// The same picture for ever.
        case frozen
        /// Pictures without light.
        case black
        /// Pictures of one colour.
        case plain
    }

    var kind: Kind
    /// The camera's name; nil for all cameras.
    var camera: String?

    /// Parses the value of `--camera-fault`, such as `frozen` or `black,camera=Driveway`.
    init(parsing spec: String) throws(UsageError) {
        let parts = spec.split(separator: ",", maxSplits: 1).map(String.init)
        guard let kind = parts.first.flatMap(Kind.init(rawValue:)) else {
            let names = Kind.allCases.map(\.rawValue).joined(separator: ", ")
            throw UsageError("--camera-fault is one of \(names), not \(spec)")
        }
        self.kind = kind
        guard parts.count == 2 else { return }
        guard parts[1].hasPrefix("camera=") else {
            throw UsageError(
                "after \(kind.rawValue) a camera fault has only camera=, not \(parts[1])")
        }
        camera = String(parts[1].dropFirst(7))
    }
}
