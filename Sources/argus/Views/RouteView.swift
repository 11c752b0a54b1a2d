import ArgusKit

/// The fields of a route that a server has.
enum RouteView {
    static let fields: [Field<ServerRoutes.Entry>] = [
        .column("method", "the method") { $0.method },
        .column("path", "the path, with places for what varies in braces") { $0.path },
        .column("summary", "what the server says of it") { $0.summary }.shrinking(0),
    ]
}
