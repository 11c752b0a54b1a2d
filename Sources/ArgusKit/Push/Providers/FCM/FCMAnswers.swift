import ArgusCore
import ArgusTransport

/// The table of answers of FCM (Firebase, "ErrorCode" of `fcm.v1` and "Best practices when sending FCM
/// messages at scale").
enum FCMAnswers {
    /// The parts of an error of Google's services (google.rpc.Status).
    private struct Problem {
        var status: String?
        /// The code of FCM's own.
        var code: String?
        /// The first field but the token that a BadRequest names.
        var field: String?

        init(_ answer: HTTPResponse) {
            let error = (try? JSONView.parse(answer.body))?["error"]
            status = error?["status"]?.codeWord
            guard let details = error?["details"], details.kind == .array else { return }
            for detail in details.elements {
                let type = detail["@type"]?.string ?? ""
                if type.hasSuffix(".FcmError") {
                    code = detail["errorCode"]?.codeWord
                } else if type.hasSuffix(".BadRequest"),
                    let violations = detail["fieldViolations"], violations.kind == .array
                {
                    let fields = violations.elements.compactMap { $0["field"]?.string }
                    field = field ?? fields.first { $0 != "message.token" }
                }
            }
        }

        /// The field after a colon; empty if there is none that is safe to print.
        var fieldWords: String {
            guard let field,
                field.utf8.allSatisfy({ $0.isASCIIAlphanumeric || "._[]".utf8.contains($0) })
            else { return "" }
            return ": \(field)"
        }
    }

    private static let service = DeliveryAnswer.Verdict.providerFailure(.service)
    private static let credentials = DeliveryAnswer.Verdict.providerFailure(.credentials)
    /// The shortest wait before another try, which Google asks for.
    static let wait = DeliveryWait.atLeast(.seconds(10))

    /// The step after an answer; if `othersPass`, the project accepted another token and this one alone is
    /// at fault.
    static func step(
        after answer: HTTPResponse, project: String, account: String, othersPass: Bool,
        now: Timestamp
    ) -> DeliveryStep {
        if answer.status == 200 {
            let name = (try? JSONView.parse(answer.body))?["name"]?.string
            return name == nil ? unusable(answer) : .end(.accepted, nil)
        }
        let problem = Problem(answer)
        guard let code = problem.code ?? problem.status else { return unusable(answer) }
        let words = "\(code), \(answer.status)"
        let asked = answer.retryAfter(now: now)
        return switch (answer.status, problem.code) {
        case (_, "UNREGISTERED"): .end(.gone, "the app no longer has this token (\(words))")
        // An invalid argument is the token's fault only if FCM names no other field.
        case (400, "INVALID_ARGUMENT") where problem.field == nil:
            .end(.tokenFailure, "FCM does not recognise the token (\(words))")
        case (400, _):
            .end(service, "FCM rejects the message (\(words))\(problem.fieldWords)")
        case (403, "SENDER_ID_MISMATCH"):
            .end(
                othersPass ? .tokenFailure : credentials,
                "the token belongs to another Firebase project than '\(project)' (\(words))")
        case (401, "THIRD_PARTY_AUTH_ERROR"):
            .end(
                credentials,
                "FCM cannot use the APNs key or the Web Push key of the project '\(project)' "
                    + "(\(words)): see its settings in the Firebase console")
        case (401, _):
            .renew(credentials, "FCM rejects the access token of '\(account)' (\(words))")
        case (403, _):
            .end(credentials, "'\(account)' may not send for the project '\(project)' (\(words))")
        case (429, _):
            .again(
                .exactly(asked ?? .seconds(60)), .providerFailure(.rateLimited),
                "FCM takes no more messages for now (\(words))")
        case (500, _), (503, _):
            .again(
                asked.map { $0 >= .seconds(10) ? .exactly($0) : wait } ?? wait, service,
                "FCM failed (\(words))")
        default: .end(service, "FCM rejects the request (\(words))")
        }
    }

    private static func unusable(_ answer: HTTPResponse) -> DeliveryStep {
        .unusable(answer, of: "FCM", at: "the service at FCM's address", wait)
    }
}
