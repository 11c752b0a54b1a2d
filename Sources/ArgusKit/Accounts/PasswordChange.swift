/// The password that a user has and the one that takes its place.
package struct PasswordChange: Sendable {
    /// The shortest password that servers take, in characters.
    package static let shortest = 8

    package var current: Redacted<String>
    package var new: Redacted<String>

    package init(current: Redacted<String>, new: Redacted<String>) {
        self.current = current
        self.new = new
    }

    /// Changes the password of who is signed in.
    ///
    /// Servers say in a 400 what a password lacks, or that the current one is wrong.
    package static let route = Operation<PasswordChange, Void>(
        "auth.change-password", purpose: "changing the password",
        routes: [
            Route(.current) { change in
                var request = RouteRequest(.post, "/api/v1/auth/change-password")
                request.body = JSONWriter.object { writer in
                    writer.member("current_password", change.current.reveal())
                    writer.member("new_password", change.new.reveal())
                }
                return request
            } decode: { answer throws(APIError) in
                try ResponseBody.expectDone(answer)
            }
        ])
}
