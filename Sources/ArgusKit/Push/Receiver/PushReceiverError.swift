/// The reason why there is no receiver.
package enum PushReceiverError: Error, Sendable {
    case server(APIError)
    case listener(ListenerError)
    /// No address of this machine has a route to the server.
    case noRoute
    /// The address is not one of a private network, so pushes would cross the internet over http.
    case publicAddress(String)
}

extension APIError {
    /// True if the request was ended by this process.
    var isCancelled: Bool {
        if case .transport(let cause) = kind { cause.kind == .cancelled } else { false }
    }

    /// True if the server has refused the request, or never got it.
    var excludesSuccess: Bool {
        if case .transport(let cause) = kind { return cause.nothingSent }
        if isUnsupported { return true }
        return status.map { (400..<500).contains($0) } ?? false
    }
}
