/// The greeting of a listening server, for users and for programs.
struct Greeting {
    var server: Server

    private var api: Generation { server.service.options.settings.api }

    /// The code of ArgusAI's dashboard.
    private var pairingCode: String? {
        server.service.withState { $0.pairings.dashboardCode?.code }
    }

    /// Address, account and three things to try.
    var text: String {
        let credentials =
            api == .mobile
            ? "--token-stdin <<< \(server.service.demoToken)" : "--username \(Accounts.username)"
        let pairing = pairingCode.map { "\nPairing code: \($0)" } ?? ""
        return """
            ArgusAI demo server on \(server.url) (API: \(api.rawValue))
            Account: \(Accounts.username), password \(Accounts.password)\(pairing)

            Try, in another terminal:
              argus login \(server.url) \(credentials)
              argus events list
              argus cameras snapshot --all

            Ctrl-C ends it.

            """
    }

    /// The greeting for programs, on one line.
    var json: JSON {
        [
            "url": .text(server.url), "port": .integer(server.port), "api": .text(api.rawValue),
            "username": .text(Accounts.username), "password": .text(Accounts.password),
            "pairing_code": JSON(pairingCode),
        ]
    }
}
