import ArgusCore
import ArgusTestSupport
import ArgusTransport
import Testing

@testable import argus

@Suite("Failure")
struct FailureTests {
    private func status(_ kind: APIError.Kind) -> Int32 {
        Failure(APIError(kind, "why"), doing: "list events", on: "home", remedy: "sign in").kind
            .rawValue
    }

    @Test(
        "each kind of refusal has its status",
        arguments: [
            (APIError.Kind.unauthorized, Int32(4)), (.forbidden, 5), (.notFound, 3),
            (.rejected, 10),
            (.rateLimited, 8), (.serverError, 7), (.malformedAnswer, 7), (.unsupported("x"), 14),
        ])
    func statuses(kind: APIError.Kind, status: Int32) {
        #expect(self.status(kind) == status)
    }

    @Test(
        "an answer that is not the server's is named by its status, and may be tried again",
        arguments: [200, 304, 401, 403, 404, 405, 413, 418, 451, 500, 502])
    func foreign(status: Int) {
        let answer = HTTPResponse(status: status, body: Array("<html>".utf8))
        let failure = Failure(
            APIError(answer: answer), doing: "list events", on: "home", remedy: "sign in")
        #expect(failure.kind == .serverError && failure.kind.isRetryable)
        #expect(failure.reason == "not_argusai" && failure.httpStatus == status)
        #expect(
            failure.message == "'home' does not answer as an ArgusAI server does (HTTP \(status))")
        #expect(
            failure.hint?.contains("proxy")
                == ([404, 405, 413, 418, 304, 451].contains(status) ? false : true))
    }

    @Test(
        "each failure without an answer has its status",
        arguments: [
            (TransportError.Kind.unresolvedHost, Int32(6)), (.notConnected, 6),
            (.timedOut(.connect), 6), (.timedOut(.handshake), 6), (.timedOut(.firstByte), 6),
            (.timedOut(.total), 6),
            (.timedOut(.idle), 6), (.handshakeFailed, 6), (.connectionLost, 6), (.proxyFailed, 6),
            (.unknownNetwork, 6),
            (.identityRefused, 9), (.tooLarge, 7), (.malformedAnswer, 7), (.truncatedBody, 7),
            (.redirectRefused, 7), (.upgradeRefused(403), 7), (.unusableFile, 2),
            (.invalidRequest, 2), (.libraryMissing, 1), (.noResources, 1),
            (.receiverStopped, 1), (.cancelled, 1),
        ])
    func transport(kind: TransportError.Kind, status: Int32) {
        #expect(self.status(.transport(TransportError(kind, "why"))) == status)
    }

    @Test("a certificate refused by its dates alone is a matter of the clock, and may pass")
    func certificateDates() {
        var cause = TransportError(.identityRefused, "its certificate has expired")
        func failure() -> Failure {
            Failure(
                APIError(.transport(cause)), doing: "list events", on: "home", remedy: "sign in")
        }
        #expect(failure().reason == "identity_refused" && !failure().isRetryable)
        cause.isByDates = true
        #expect(failure().kind == .identity && failure().reason == "clock")
        #expect(failure().isRetryable)
        #expect(failure().hint?.contains("server trust") == false)
        // A refusal to delete by age does not pass by itself.
        #expect(!Failure(.failed, "why", reason: Failure.clockReason).isRetryable)
    }

    @Test(
        "a refusal of the credentials is refined for scripts",
        arguments: [
            ("Invalid credentials", "invalid_credentials"),
            ("Token has expired", "session_expired"),
            ("Account disabled", "account_disabled"),
            ("Temporary password has expired. Ask.", "password_expired"),
            ("Invalid token", "credentials_refused"),
        ])
    func reasons(detail: String, reason: String) {
        let failure = Failure(
            APIError(.unauthorized, detail), doing: "sign in", on: "home", remedy: "sign in")
        #expect(failure.reason == reason)
        #expect(failure.hint != nil)
    }

    @Test("a person reads a sentence, what failed of several, and a hint; controls are visible")
    func text() {
        var failure = Failure(
            APIError(.transport(TransportError(.notConnected, "connection refused"))),
            doing: "list events", on: "home", remedy: "sign in")
        #expect(text(failure) == "argus: cannot reach 'home': connection refused\n")
        failure.items = [.init(id: "a\u{1B}[2J", kind: .notFound, message: "gone\n")]
        failure.hint = "try\u{202E} again"
        #expect(
            text(failure)
                == """
                argus: cannot reach 'home': connection refused
                  a\\x1b[2J: gone\\n
                hint: try\\u{202e} again

                """)
    }

    private func text(_ failure: Failure, on terminal: Terminal = .none) -> String {
        failure.text(on: terminal, width: terminal.width)
    }

    @Test("a terminal breaks long lines below their beginning, and colours the labels")
    func brokenText() {
        var failure = Failure(
            .unreachable, "cannot reach 'home': the name has no address",
            hint: "check that this machine is on a network, and can resolve names")
        failure.items = [.init(id: "cam", kind: .notFound, message: "there is no such camera")]
        let terminal = Terminal(
            isErrorTerminal: true, width: 40, errorStyle: Style(isOn: true))
        #expect(
            text(failure, on: terminal) == """
                \u{1B}[31margus: \u{1B}[0mcannot reach 'home': the name has
                       no address
                  cam: there is no such camera
                \u{1B}[32mhint: \u{1B}[0mcheck that this machine is on a
                      network, and can resolve names

                """)
        #expect(text(failure).split(separator: "\n").count == 3)
    }

    @Test("of a server that cannot be reached, the hint names doctor unless there is a better one")
    func unreached() {
        var failure = Failure(.unreachable, "cannot reach 'home': connection refused")
        failure.unreachedServer = "home"
        let remedy = "'argus doctor --server home' looks for the cause"
        #expect(text(failure).hasSuffix("\nhint: \(remedy)\n"))
        #expect(String(decoding: failure.json, as: UTF8.self).contains("\"hint\":\"\(remedy)\""))
        // Doctor's own remedies come from its checks.
        #expect(Finding.failure("connection", failure).remedy == nil)
        failure.hint = "start it"
        #expect(text(failure).hasSuffix("\nhint: start it\n"))
    }

    @Test("a script reads one object with every key, in order")
    func json() throws {
        var failure = Failure(.partial, "1 of 2 failed", hint: "h", reason: "r")
        let refusal = #"{"detail":[{"loc":["query","limit"],"msg":"too large","input":"501"}]}"#
        failure.fields =
            APIError(answer: HTTPResponse(status: 422, body: Array(refusal.utf8))).fields
        failure.items = [.init(id: "c1", kind: .serverError, message: "offline")]
        failure.retryAfterSeconds = 30
        failure.httpStatus = 503
        failure.requestID = "r-1"
        #expect(
            String(decoding: failure.json, as: UTF8.self) == """
                {"error":{"kind":"partial","reason":"r","exit_code":11,"message":"1 of 2 failed",\
                "hint":"h","fields":[{"loc":"query.limit","msg":"too large"}],\
                "items":[{"id":"c1","kind":"server_error","message":"offline"}],"retryable":false,\
                "retry_after_seconds":30,"http_status":503,"request_id":"r-1"}}

                """)
        #expect(
            String(decoding: Failure(.unreachable, "m\u{1B}").json, as: UTF8.self) == """
                {"error":{"kind":"unreachable","reason":null,"exit_code":6,"message":"m\\u001b",\
                "hint":null,"fields":[],"items":[],"retryable":true,"retry_after_seconds":null,\
                "http_status":null,"request_id":null}}

                """)
    }

    @Test("a missing thing is reported with the status if the server has no message for it")
    func wordless() {
        func failure(_ detail: String) -> Failure {
            Failure(
                APIError(.notFound, detail, status: 404), doing: "show it", on: "home", remedy: "")
        }
        #expect(failure("").message == "cannot show it on 'home' (HTTP 404)")
        #expect(failure("gone").message == "cannot show it on 'home': gone")
    }

    @Test("a failure that needs action first is not retryable, whatever its kind")
    func needsAction() {
        var failure = Failure(.unreachable, "no address")
        failure.needsAction = true
        let line = String(decoding: failure.json, as: UTF8.self)
        #expect(line.contains(#""kind":"unreachable""#) && line.contains(#""retryable":false"#))
    }

    @Test("only what can pass by itself is worth another try")
    func retryable() {
        #expect(ExitKind.allCases.filter(\.isRetryable).map(\.rawValue) == [6, 7, 8])
    }

    @Test(
        "options, then variables, decide whether errors are JSON",
        arguments: [
            (["x", "--json"], [:], true), (["x", "--format", "json"], [:], true),
            (["x", "--format=ndjson"], [:], true), (["--format", "csv", "x"], [:], true),
            (["x", "--format", "tsv"], [:], true), (["x", "--format", "table"], [:], false),
            (["x", "--json", "--format=table"], [:], false), (["x", "--", "--json"], [:], false),
            (["x", "--format"], [:], false), (["x"], [:], false), ([], [:], false),
            (["x"], ["ARGUS_FORMAT": "json"], true), (["x"], ["ARGUS_FORMAT": "table"], false),
            (["x", "--format", "table"], ["ARGUS_FORMAT": "json"], false),
            (["x", "--format", "table"], ["ARGUS_ERRORS": "json"], true),
            (["x"], ["ARGUS_ERRORS": "json"], true), (["x"], ["ARGUS_ERRORS": "text"], false),
            (["x"], ["ARGUS_ERRORS": ""], false), (["--wrong", "--json"], [:], true),
        ] as [([String], [String: String], Bool)])
    func errorStyle(words: [String], variables: [String: String], isJSON: Bool) {
        let environment = Environment(variables)
        #expect(ErrorStyle.isJSON(words, environment, isTerminal: false) == isJSON)
        // On a terminal only the variable does.
        #expect(
            ErrorStyle.isJSON(words, environment, isTerminal: true)
                == (variables["ARGUS_ERRORS"] == "json"))
    }

    @Test("a person at a terminal reads a sentence, also where a program reads the results")
    func personAndProgram() async throws {
        let test = try TestSystem()
        test.environment["TERM"] = "xterm"
        test.terminal = Terminal(isErrorTerminal: true)
        #expect(await test.run("cameras", "lst", "--json") == .usage)
        #expect(test.stderr.hasPrefix("\u{1B}[31margus: \u{1B}[0m"))
        #expect(test.stderr.contains("\n\u{1B}[32mhint: \u{1B}[0m"))
        for words in [["--color", "never"], ["--color=never"]] {
            let plain = try TestSystem()
            plain.environment["TERM"] = "xterm"
            plain.terminal = Terminal(isErrorTerminal: true)
            #expect(await plain.run(["cameras", "lst"] + words) == .usage)
            #expect(plain.stderr.hasPrefix("argus: "))
        }
    }

    @Test(
        "the configuration does not choose the form of errors, and usage errors have the same form")
    func usageErrors() async throws {
        let test = try TestSystem()
        try test.folder.plant("format = \"json\"\n", "config.toml")
        #expect(await test.run("cameras", "list", "--bogus") == .usage)
        #expect(test.stderr.hasPrefix("argus: unknown option '--bogus'"))
        let other = try TestSystem()
        #expect(await other.run("cameras", "lst", "--json") == .usage)
        #expect(try other.errorObject()["kind"]?.string == "usage")
        #expect(try other.errorObject()["exit_code"]?.int == 2)
        #expect(other.stderr.split(separator: "\n").count == 1)
        #expect(other.stdout == "")
    }
}

@Suite("Outcome")
struct OutcomeTests {
    private func result(_ failures: [Failure?]) -> Failure? {
        var outcome = BatchResult()
        for (index, failure) in failures.enumerated() { outcome.record(failure, of: "c\(index)") }
        do throws(Failure) {
            try outcome.finish()
            return nil
        } catch {
            return error
        }
    }

    private let absent = Failure(.notFound, "absent", hint: "look")
    private let offline = Failure(.serverError, "offline")

    @Test("nothing failed")
    func none() {
        #expect(result([])?.kind == nil)
        #expect(result([nil, nil])?.kind == nil)
    }

    @Test("one operand that failed is reported as itself")
    func one() {
        #expect(result([absent])?.message == "absent")
        #expect(result([absent])?.items.isEmpty == true)
    }

    @Test("all failed alike: that status; with successes: 11; differently: 1")
    func several() throws {
        let alike = try #require(result([absent, absent]))
        #expect(alike.kind == .notFound)
        #expect(alike.hint == "look")
        #expect(alike.message == "2 of 2 failed")
        let partial = try #require(result([absent, nil, offline]))
        #expect(partial.kind == .partial)
        #expect(partial.hint == nil)
        #expect(partial.items.map(\.id) == ["c0", "c2"])
        #expect(partial.items.map(\.kind) == [.notFound, .serverError])
        #expect(result([absent, nil])?.kind == .partial)
        #expect(result([absent, offline])?.kind == .failed)
    }

    @Test("a stdout that has gone ends the work; other failures do not")
    func collect() async throws {
        var outcome = BatchResult()
        try await outcome.collect("a") { () async throws(Failure) in throw Failure(.notFound, "") }
        for failure in [Failure.closedPipe, Failure(.failed, "", reason: Failure.stdoutReason)] {
            let kept = outcome
            let error = await ArgusTestSupport.failure { () async throws(Failure) in
                var outcome = kept
                try await outcome.collect("b") { () async throws(Failure) in throw failure }
            }
            #expect(error?.kind == failure.kind)
        }
    }
}
