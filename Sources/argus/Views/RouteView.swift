import ArgusKit

/// The fields of a server's route.
enum RouteView {
    static let fields: [Field<ServerRoutes.Entry>] = [
        .column("method", "the method") { $0.method },
        .column("path", "the path, with parameters in braces") { $0.path },
        .column("summary", "the server's description") { $0.summary }.shrinking(0),
    ]
}
