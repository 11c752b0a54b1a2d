/// The greeting of a listening server, for users and for programs.
struct Greeting {
    var server: Server
    var simulator: PushSimulator?

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
            Account: \(Accounts.username), password \(Accounts.password)\(pairing)\(providers)

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
            "pairing_code": JSON(pairingCode), "providers": simulator?.json ?? .null,
        ]
    }

    /// The lines that point argus to the push services.
    private var providers: String {
        guard let simulator else { return "" }
        return """

            Push services: keys, tokens and subscriptions in \(simulator.folder); for argus,
            with --cacert "$ARGUS_DEMO_CACERT":
            \(simulator.variables.map { "  export \($0.name)=\($0.value)" }.joined(separator: "\n"))
            """
    }
}
