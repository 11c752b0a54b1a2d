import ArgusCore

/// The routes that a server describes.
package enum ServerRoutes {
    /// A path with one of its methods.
    package struct Entry: Sendable, Hashable {
        package var method: String
        package var path: String
        package var summary: String?

        package init(method: String, path: String, summary: String? = nil) {
            self.method = method
            self.path = path
            self.summary = summary
        }

        /// True if the path or the summary contains a word, in any case.
        package func mentions(_ word: String) -> Bool {
            let word = word.lowercased()
            return path.lowercased().contains(word)
                || summary?.lowercased().contains(word) == true
        }
    }

    /// The routes in the order in which the server describes them (OpenAPI 3.1, section 4.8.8).
    package static let list = Operation<Void, [Entry]>(
        "api.routes", feature: "a description of its routes",
        Route(.current) {
            RouteRequest(.get, "/openapi.json").withoutCredential
        } decode: { answer throws(APIError) in
            guard let paths = (try? JSONView.parse(answer.body))?["paths"], paths.kind == .object
            else { throw APIError.malformed("no description of routes", answer) }
            return entries(paths)
        })

    /// Reads only names and summaries and skips the schemas, most of the text.
    private static func entries(_ paths: JSONView) -> [Entry] {
        let methods = ["get", "head", "post", "put", "patch", "delete"]
        var entries: [Entry] = []
        paths.forEachMember { path, operations in
            operations.forEachMember { method, operation in
                guard methods.contains(where: method.matches) else { return }
                entries.append(
                    Entry(
                        method: method.text.uppercased(), path: path.text,
                        summary: operation["summary"]?.string))
            }
        }
        return entries
    }
}
