import ArgusKit

/// The fields of a route that a server has.
enum RouteView {
    static let fields: [Field<ServerRoutes.Entry>] = [
        Field("method", "the method") { .text($0.method) },
        Field("path", "the path, with places for what varies in braces") { .text($0.path) },
        Field("summary", "what the server says of it") { FieldValue($0.summary) },
    ]
}
