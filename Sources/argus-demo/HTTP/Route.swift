/// One line of a generation's route table.
struct Route: Sendable {
    /// The credentials that a route requires.
    enum Access: Sendable {
        /// Nothing.
        case open
        /// A token or an API key.
        case any
        /// A token: the route needs a user, not an API key.
        case user
    }

    typealias Handler = @Sendable (Request, inout State) throws(Refusal) -> Answer

    var method: Method
    var pattern: String
    var access: Access
    var handler: Handler
    private let segments: [Substring]

    /// Makes a route for a path whose `{name}` segments match any one segment.
    init(
        _ method: Method, _ pattern: String, _ access: Access,
        _ handler: @escaping Handler
    ) {
        self.method = method
        self.pattern = pattern
        self.access = access
        self.handler = handler
        segments = Route.segments(of: pattern)
    }

    static func segments(of path: String) -> [Substring] {
        path.split(separator: "/", omittingEmptySubsequences: false)
    }

    /// The values of the pattern's names in a path; nil if it does not match.
    func match(_ path: [Substring]) -> [String: String]? {
        guard path.count == segments.count else { return nil }
        var parameters: [String: String] = [:]
        for (segment, part) in zip(segments, path) {
            if segment.first == "{" {
                guard !part.isEmpty else { return nil }
                parameters[String(segment.dropFirst().dropLast())] = String(part)
            } else if segment != part {
                return nil
            }
        }
        return parameters
    }
}
