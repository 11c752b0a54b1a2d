/// How the server of this run was chosen.
package enum ServerChoice: Hashable, Sendable {
    /// Named by `--server`, by `ARGUS_SERVER`, or by `server` in the config.
    case option, environment, configuration
    /// The one of `server use`, or the only one known.
    case defaultRecord
    /// Found on the network.
    case discovered

    /// Whether a credential that is not from the store may go there: only where the person named
    /// the server, so that a variable meant for one server never reaches another.
    package var mayReceiveExplicitCredentials: Bool {
        switch self {
        case .option, .environment, .configuration: true
        case .defaultRecord, .discovered: false
        }
    }
}
