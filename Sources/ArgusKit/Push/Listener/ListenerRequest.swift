/// A request that came for the path of a listener.
package struct ListenerRequest: Sendable {
    package var method: String
    package var headers: HTTPHeaders
    /// At most `PushListener.Limits.body` bytes.
    package var body: [UInt8]
}

/// The reason why no listener could be opened.
package struct ListenerError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The address and the port, such as `192.168.1.5:8099`.
    package var place: String
    /// The system's words.
    package var reason: String

    package init(_ place: String, _ reason: String) { (self.place, self.reason) = (place, reason) }

    package var description: String { "cannot listen on \(place): \(reason)" }
}
