import Synchronization

/// What a run knows of a server's routes: remembered from earlier runs, and learnt in this one.
package final class RouteKnowledge: Sendable {
    private struct State {
        var routes: [String: String]
        var isChanged = false
    }

    private let state: Mutex<State>

    /// Starts with the routes remembered: operation name to generation name.
    package init(_ routes: [String: String] = [:]) {
        state = Mutex(State(routes: routes))
    }

    /// The routes known now, operation name to generation name.
    package var routes: [String: String] { state.withLock { $0.routes } }

    /// Whether this run learnt something that is worth remembering.
    package var isChanged: Bool { state.withLock { $0.isChanged } }

    /// The generation whose route served an operation before.
    func generation(of operation: String) -> Generation? {
        state.withLock { $0.routes[operation] }.flatMap(Generation.init(rawValue:))
    }

    /// Remembers that a route answered.
    func learn(_ operation: String, _ generation: Generation) {
        state.withLock { state in
            guard state.routes[operation] != generation.rawValue else { return }
            state.routes[operation] = generation.rawValue
            state.isChanged = true
        }
    }

    /// Forgets a route that is gone, as after an update of the server.
    func forget(_ operation: String) {
        state.withLock { state in
            state.isChanged = state.routes.removeValue(forKey: operation) != nil || state.isChanged
        }
    }
}
