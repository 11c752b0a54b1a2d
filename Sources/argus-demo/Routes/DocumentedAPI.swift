/// The routes of the design documents.
enum DocumentedAPI {
    static let routes: [Route] = []
}
