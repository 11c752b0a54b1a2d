package import ArgusCore
package import ArgusTransport

/// The options of a run that decide how its requests leave the machine.
package struct ConnectionOptions: Sendable {
    /// The endpoints that may be used.
    package var via = Via.auto
    /// Further tries of a request that failed.
    package var retries = RetryPolicy().retries
    /// The wait for the first byte; nil keeps the deadline of each request.
    package var timeout: Duration?
    /// The longest wait of one request for a rate limit; nil never waits.
    package var rateLimitWait: Duration?
    package var files = TLSFiles()
    package var userAgent: String
    /// The fields by which servers identify this device.
    package var deviceHeaders: [HTTPHeader] = []
    package var proxies = ProxySettings.none
    package var observation: TransferObservation?

    package init(userAgent: String) { self.userAgent = userAgent }
}

/// The networks, state folder and clock of this machine.
package struct ConnectionEnvironment: Sendable {
    package var state: Paths.Folder
    package var makeTransport: @Sendable (ProxySettings, TransferObservation?) -> any Transport
    /// The machine's current network.
    package var network: @Sendable () -> NetworkIdentity
    /// The same after a lookup of gateways whose MAC the kernel has forgotten.
    package var lookedUpNetwork: @Sendable () async -> NetworkIdentity
    /// The networks of this machine's interfaces.
    package var link: @Sendable () -> LocalLink
    package var browser: any ServerBrowser
    package var now: @Sendable () -> Timestamp
    package var sleep: @Sendable (Duration) async throws -> Void

    package init(
        state: Paths.Folder,
        makeTransport: @escaping @Sendable (ProxySettings, TransferObservation?) -> any Transport,
        network: @escaping @Sendable () -> NetworkIdentity,
        lookedUpNetwork: @escaping @Sendable () async -> NetworkIdentity,
        link: @escaping @Sendable () -> LocalLink, browser: any ServerBrowser,
        now: @escaping @Sendable () -> Timestamp,
        sleep: @escaping @Sendable (Duration) async throws -> Void
    ) {
        self.state = state
        self.makeTransport = makeTransport
        self.network = network
        self.lookedUpNetwork = lookedUpNetwork
        self.link = link
        self.browser = browser
        self.now = now
        self.sleep = sleep
    }

    /// The refusal of plain http to an address, after a lookup of the network if it depends on that.
    func refusal(
        of address: ServerAddress, _ allowances: [PlainHTTPAllowance], command: String = "login"
    ) async -> PlainHTTPRule.Refusal? {
        let refusal = PlainHTTPRule.refusal(
            of: address.origin, allowances: allowances, network: network(), command: command)
        guard refusal?.isTemporary == true else { return refusal }
        let network = await lookedUpNetwork()
        return PlainHTTPRule.refusal(
            of: address.origin, allowances: allowances, network: network, command: command)
    }

    /// The endpoint of a server that answered last; nil if there is no state folder.
    package func cache(of record: ServerRecord) -> EndpointCache? {
        EndpointCache(state, record.id)
    }
}

/// Makes the clients of servers, by the endpoints that options and network allow; each requires the
/// proof of its endpoint.
package struct ServerConnector: Sendable {
    /// An event of a connection, for the user.
    package enum Notice: Sendable {
        /// An endpoint is not used for this reason.
        case leftOut(Endpoint, ServerError)
        /// The endpoint that answered last is used.
        case remembered(EndpointTarget, provedAt: Timestamp)
        case selected(EndpointReport)
        /// The names of stored header fields that are not sent.
        case headersLeftOut([String])
        /// Later commands need the options again, because the file is temporary.
        case notRemembered(options: String, path: String)
        /// A request is sent again after a wait.
        case waiting(RetryingTransport.Notice)
    }

    package let options: ConnectionOptions
    let environment: ConnectionEnvironment
    private let store: @Sendable (ServerRecord) -> AvailableStore
    let notify: @Sendable (Notice) -> Void
    /// libcurl with `.local` names and redirects; it retries nothing.
    private let transport: HopTransport
    private let names: LocalNames

    /// Prepares connections; `store` finds a server's store, with the header fields of its relays.
    package init(
        _ options: ConnectionOptions, in environment: ConnectionEnvironment,
        store: @escaping @Sendable (ServerRecord) -> AvailableStore,
        notify: @escaping @Sendable (Notice) -> Void
    ) {
        self.options = options
        self.environment = environment
        self.store = store
        self.notify = notify
        names = LocalNames(environment.browser)
        transport = HopTransport(
            environment.makeTransport(options.proxies, options.observation), names)
    }

    /// The endpoints of a server that options and network allow, at least one.
    ///
    /// One on a network that is not known yet is usable: each request looks the network up.
    ///
    /// - Throws: `ServerError` if the server has none of the requested kind, or only plain http that
    ///   is not allowed.
    package func usableEndpoints(
        of record: ServerRecord
    ) throws(ServerError) -> [(endpoint: Endpoint, address: ServerAddress)] {
        let via = options.via
        let endpoints = record.endpoints.filter { via == .auto || $0.kind.rawValue == via.rawValue }
        var usable: [(endpoint: Endpoint, address: ServerAddress)] = []
        var refusal: ServerError?
        for endpoint in endpoints {
            do throws(ServerError) {
                let address = try parse(endpoint.address)
                let refusal = PlainHTTPRule.refusal(
                    of: address.origin, allowances: record.plainHTTPAllowances,
                    network: environment.network())
                if let refusal, !refusal.isTemporary { throw .plainHTTP(refusal) }
                usable.append((endpoint, address))
            } catch {
                notify(.leftOut(endpoint, error))
                refusal = refusal ?? error
            }
        }
        if usable.isEmpty { throw refusal ?? .noEndpoint(server: record.name, via) }
        return usable
    }

    /// Makes a client of an address, without credentials.
    ///
    /// - Throws: `ServerError` for plain http with a client certificate.
    package func client(
        for address: ServerAddress, by endpoint: Endpoint
    ) throws(ServerError) -> APIClient {
        try client(for: address, by: endpoint, transport)
    }

    /// Makes a client of a known server, without credentials, and the transport below it.
    ///
    /// - Throws: `ServerError` if no endpoint can be used.
    package func connect(
        to record: ServerRecord, knowledge: RouteKnowledge = RouteKnowledge()
    ) throws(ServerError) -> (client: APIClient, endpoints: FailoverTransport) {
        let usable = try usableEndpoints(of: record)
        guard let (first, primary) = usable.first else {
            throw .noEndpoint(server: record.name, options.via)
        }
        let selector = selector(of: record, among: usable)
        if let (target, moment) = selector.remembered {
            notify(.remembered(target, provedAt: moment))
        }
        let notify = notify
        let headers = StoredRelayHeaders(of: record, in: store(record)) {
            notify(.headersLeftOut($0))
        }
        let endpoints = FailoverTransport(
            transport, for: primary, selecting: selector,
            relayHeaders: headers.fields)
        var limiter: RequestLimiter?
        if case .folder(let folder) = environment.state {
            limiter = RequestLimiter(
                by: "\(folder)/\(record.id.text).turns", sleep: environment.sleep)
        }
        let client = try client(for: primary, by: first, endpoints, knowledge, limiter)
        return (client, endpoints)
    }

    /// Makes a client of a known server by any of its endpoints.
    ///
    /// - Throws: `ServerError` if no endpoint can be used.
    package func unverifiedServer(_ record: ServerRecord) throws(ServerError) -> UnverifiedServer {
        let (client, endpoints) = try connect(to: record)
        let endpoint = record.endpoints.first { $0.hasAddress(client.address.description) }
        return UnverifiedServer(
            name: record.name, client: client, record: record, isKnown: true,
            endpoint: endpoint ?? Endpoint(.local, client.address), endpoints: endpoints)
    }

    /// Makes a client for each https endpoint of a known server.
    ///
    /// - Throws: `ServerError` if no endpoint can be used.
    package func unverifiedServers(
        byEndpointOf record: ServerRecord
    ) throws(ServerError) -> [UnverifiedServer] {
        try usableEndpoints(of: record).filter { $0.endpoint.proof != .plain }
            .map { endpoint, address throws(ServerError) in
                UnverifiedServer(
                    name: record.name, client: try client(for: address, by: endpoint),
                    record: record, isKnown: true, endpoint: endpoint)
            }
    }

    /// Parses an address.
    ///
    /// - Throws: `ServerError.invalidAddress`.
    package func parse(_ text: String) throws(ServerError) -> ServerAddress {
        try rethrowing(ServerAddress(parsing: text), as: ServerError.invalidAddress)
    }

    /// Checks that requests may go to an address (docs/servers-and-trust.md, "Plain http").
    ///
    /// - Throws: `ServerError.plainHTTP`, with a hint that names the command that can allow it.
    package func check(
        _ address: ServerAddress, _ allowances: [PlainHTTPAllowance], command: String = "login"
    ) async throws(ServerError) {
        let refusal = await environment.refusal(of: address, allowances, command: command)
        if let refusal { throw .plainHTTP(refusal) }
    }

    private func client(
        for address: ServerAddress, by endpoint: Endpoint, _ transport: any Transport,
        _ knowledge: RouteKnowledge = RouteKnowledge(), _ limiter: RequestLimiter? = nil
    ) throws(ServerError) -> APIClient {
        if endpoint.proof == .plain, options.files.certificate != nil {
            throw .certificateNeedsTLS(address)
        }
        var policy = RetryPolicy(retries: options.retries)
        policy.longestRateLimitWait = options.rateLimitWait
        let notify = notify
        let retrying = RetryingTransport(
            transport, policy: policy, limiter: limiter, sleep: environment.sleep,
            now: environment.now
        ) { notify(.waiting($0)) }
        var client = APIClient(
            transport: retrying, address: address, proof: options.files.proof(of: endpoint),
            knowledge: knowledge, firstByteTimeout: options.timeout, userAgent: options.userAgent)
        client.deviceHeaders = options.deviceHeaders
        return client
    }

    private func selector(
        of record: ServerRecord, among usable: [(endpoint: Endpoint, address: ServerAddress)]
    ) -> EndpointSelector {
        let targets = usable.map { endpoint, address in
            EndpointTarget(
                kind: endpoint.kind, address: address, proof: options.files.proof(of: endpoint),
                fingerprint: endpoint.fingerprint)
        }
        let (allowances, environment) = (record.plainHTTPAllowances, environment)
        let plan = EndpointPlan(targets: targets, link: environment.link) { address in
            await environment.refusal(of: address, allowances)?.error
        }
        let notify = notify
        let race = EndpointRace(
            transport, environment.browser, locating: names.socketAddress)
        return EndpointSelector(
            plan, in: race, memory: plan.hasAlternatives ? environment.cache(of: record) : nil,
            now: environment.now
        ) { notify(.selected($0)) }
    }
}
