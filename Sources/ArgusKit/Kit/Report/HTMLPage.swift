import ArgusCore

/// A page that needs no other file but pictures and videos of its own folder.
///
/// Its content security policy forbids scripts, forms, frames and the network.
package struct HTMLPage: Sendable {
    private let title: String
    private let body: [HTML]
    private let mediaSources: String

    /// A page whose pictures are in it, or in the same mail.
    package init(selfContained title: String, _ body: [HTML]) {
        (self.title, self.body) = (title, body)
        mediaSources = "img-src data: cid:"
    }

    /// A page with pictures and videos in files below its folder.
    package init(besideFiles title: String, _ body: [HTML]) {
        (self.title, self.body) = (title, body)
        // Browsers differ in whether the files beside a page that was opened as a file are its own.
        mediaSources = "img-src data: 'self' file:; media-src 'self' file:"
    }

    /// The page in UTF-8.
    package var utf8: [UInt8] {
        let policy =
            "default-src 'none'; \(mediaSources); style-src '\(PageStyle.hash)'; "
            + "base-uri 'none'; form-action 'none'"
        var page = Array(
            """
            <!DOCTYPE html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta http-equiv="Content-Security-Policy" content="\(policy)">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <meta name="color-scheme" content="light dark">
            <meta name="referrer" content="no-referrer">
            <title>
            """.utf8)
        page += HTML.text(title).utf8
        page += Array("</title>\n<style>\(PageStyle.text)</style>\n</head>\n<body>\n".utf8)
        for piece in body {
            page += piece.utf8
            page.append(UInt8(ascii: "\n"))
        }
        return page + Array("</body>\n</html>\n".utf8)
    }
}
