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
    /// The fields by which servers tell this device apart.
    package var deviceHeaders: [HTTPHeader] = []
    package var proxies = ProxySettings.none
    package var observation: TransferObservation?

    package init(userAgent: String) { self.userAgent = userAgent }
}

/// The networks of this machine and its clock, as connections depend on them.
package struct ConnectionEnvironment: Sendable {
    /// The folder of state files, where endpoints are remembered.
    package var state: Paths.Place
    package var makeTransport: @Sendable (ProxySettings, TransferObservation?) -> any Transport
    /// The network that the machine is on now.
    package var network: @Sendable () -> NetworkIdentity
    /// The same, after a lookup of gateways that the kernel does not know at the moment.
    package var lookedUpNetwork: @Sendable () -> NetworkIdentity
    /// The networks that this machine's interfaces are on.
    package var link: @Sendable () -> LocalLink
    package var browser: any ServerBrowser
    package var now: @Sendable () -> Timestamp
    package var sleep: @Sendable (Duration) async throws -> Void

    package init(
        state: Paths.Place,
        makeTransport: @escaping @Sendable (ProxySettings, TransferObservation?) -> any Transport,
        network: @escaping @Sendable () -> NetworkIdentity,
        lookedUpNetwork: @escaping @Sendable () -> NetworkIdentity,
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

    /// The endpoints of a server that worked before; nil where nothing can be kept.
    package func cache(of record: ServerRecord) -> EndpointCache? {
        EndpointCache(state, record.id, on: network, link: link)
    }
}

/// Makes the clients of servers, by the endpoints that the options and this network leave.
///
/// Each client holds the server to the proof that its endpoint asks for.
package struct ServerConnector: Sendable {
    /// Something that helps to understand a connection.
    package enum Notice: Sendable {
        /// An endpoint is not used for this reason.
        case leftOut(Endpoint, ServerError)
        /// The endpoint that worked here before is used.
        case remembered(EndpointTarget, provedAt: Timestamp)
        /// A selection of the endpoint is over.
        case selected(EndpointReport)
        /// Stored header fields that no relay is sent, by name.
        case headersLeftOut([String])
        /// Later commands need the options again, because the file of this path does not last.
        case notRemembered(options: String, path: String)
        /// Another try of a request begins, in a sentence.
        case retry(String)
        /// A wait for the server's rate limit begins.
        case rateLimit(Duration)
    }

    package let options: ConnectionOptions
    let environment: ConnectionEnvironment
    private let store: @Sendable (ServerRecord) -> AvailableStore
    let notify: @Sendable (Notice) -> Void
    /// libcurl with `.local` names; it follows no redirect and retries nothing.
    private let transport: LocalNames

    /// Prepares connections.
    ///
    /// - Parameters:
    ///   - options: The options of this run.
    ///   - environment: The networks of this machine.
    ///   - store: Finds the store of a server's secrets, for the header fields of its relays.
    ///   - notify: Receives what helps to understand a connection.
    package init(
        _ options: ConnectionOptions, in environment: ConnectionEnvironment,
        store: @escaping @Sendable (ServerRecord) -> AvailableStore,
        notify: @escaping @Sendable (Notice) -> Void
    ) {
        self.options = options
        self.environment = environment
        self.store = store
        self.notify = notify
        transport = LocalNames(
            environment.makeTransport(options.proxies, options.observation), environment.browser)
    }

    /// The endpoints of a server that the options and this network leave, at least one.
    ///
    /// - Throws: `ServerError` where the server has none of the kind asked for, or where plain http
    ///   is all there is and not allowed here.
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
                try check(address, record.plainHTTPAllowances)
                usable.append((endpoint, address))
            } catch {
                notify(.leftOut(endpoint, error))
                refusal = refusal ?? error
            }
        }
        if usable.isEmpty { throw refusal ?? .noEndpoint(server: record.name, via) }
        return usable
    }

    /// Makes the client of an address, without credentials.
    ///
    /// - Throws: `ServerError` for plain http with a client certificate.
    package func client(
        for address: ServerAddress, by endpoint: Endpoint,
        knowledge: RouteKnowledge = RouteKnowledge()
    ) throws(ServerError) -> APIClient {
        try client(for: address, by: endpoint, RedirectFollower(transport), knowledge)
    }

    /// Makes the client of a known server, without credentials, and the transport that selects the
    /// endpoint for its requests.
    ///
    /// - Throws: `ServerError` where no endpoint can be used.
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
            RedirectFollower(transport), for: primary, deciding: selector,
            relayHeaders: headers.fields)
        return (try client(for: primary, by: first, endpoints, knowledge), endpoints)
    }

    /// Makes the client of a known server without credentials, by any of its endpoints.
    ///
    /// - Throws: `ServerError` where no endpoint can be used.
    package func unverifiedServer(_ record: ServerRecord) throws(ServerError) -> UnverifiedServer {
        let (client, endpoints) = try connect(to: record)
        let endpoint = record.endpoints.first { $0.leads(to: client.address.description) }
        return UnverifiedServer(
            name: record.name, client: client, record: record, isKnown: true,
            endpoint: endpoint ?? Endpoint(.local, client.address), endpoints: endpoints)
    }

    /// Makes a client without credentials for each endpoint of a known server that shows a
    /// certificate.
    ///
    /// - Throws: `ServerError` where no endpoint can be used.
    package func unverifiedServers(
        byEndpointOf record: ServerRecord
    ) throws(ServerError) -> [UnverifiedServer] {
        var servers: [UnverifiedServer] = []
        // A client by plain http is refused where a client certificate was given.
        for (endpoint, address) in try usableEndpoints(of: record) where endpoint.proof != .plain {
            servers.append(
                UnverifiedServer(
                    name: record.name, client: try client(for: address, by: endpoint),
                    record: record, isKnown: true, endpoint: endpoint))
        }
        return servers
    }

    /// Parses an address.
    ///
    /// - Throws: `ServerError.invalidAddress`.
    package func parse(_ text: String) throws(ServerError) -> ServerAddress {
        do throws(ServerAddressError) {
            return try ServerAddress(parsing: text)
        } catch {
            throw .invalidAddress(error)
        }
    }

    /// Makes sure that requests may go to an address, given what was allowed (contract section 7.4).
    ///
    /// - Throws: `ServerError.plainHTTP`; its hint names the command that can allow it.
    package func check(
        _ address: ServerAddress, _ allowances: [PlainHTTPAllowance], command: String = "login"
    ) throws(ServerError) {
        let refusal = PlainHTTPRule.refusal(
            of: address.origin, allowances: allowances, network: environment.lookedUpNetwork(),
            command: command)
        if let refusal { throw .plainHTTP(refusal) }
    }

    private func client(
        for address: ServerAddress, by endpoint: Endpoint, _ transport: any Transport,
        _ knowledge: RouteKnowledge
    ) throws(ServerError) -> APIClient {
        if endpoint.proof == .plain, options.files.certificate != nil {
            throw .certificateNeedsTLS(address)
        }
        var client = APIClient(
            transport: retrying(transport), address: address,
            proof: options.files.proof(of: endpoint), knowledge: knowledge,
            firstByteTimeout: options.timeout, userAgent: options.userAgent)
        client.deviceHeaders = options.deviceHeaders
        return client
    }

    private func retrying(_ base: any Transport) -> any Transport {
        var policy = RetryPolicy(retries: options.retries)
        policy.longestRateLimitWait = options.rateLimitWait
        let notify = notify
        return RetryingTransport(
            base, policy: policy, sleep: environment.sleep, now: environment.now
        ) { event in
            switch event {
            case .retry(let sentence): notify(.retry(sentence))
            case .rateLimit(let wait): notify(.rateLimit(wait))
            }
        }
    }

    /// Selects among the endpoints of a server, as requests need them.
    private func selector(
        of record: ServerRecord, among usable: [(endpoint: Endpoint, address: ServerAddress)]
    ) -> EndpointSelector {
        let targets = usable.map { endpoint, address in
            EndpointTarget(
                endpoint.kind, address, proof: options.files.proof(of: endpoint),
                fingerprint: endpoint.fingerprint)
        }
        let (allowances, network) = (record.plainHTTPAllowances, environment.lookedUpNetwork)
        let plan = EndpointPlan(targets: targets, link: environment.link) { address in
            PlainHTTPRule.refusal(
                of: address.origin, allowances: allowances, network: network()
            ).map { TransportError(.identityRefused, $0.reason, nothingSent: true) }
        }
        let notify = notify
        let race = EndpointRace(
            transport, environment.browser, locating: transport.socketAddress)
        return EndpointSelector(
            plan, by: race, memory: plan.hasAlternatives ? environment.cache(of: record) : nil,
            now: environment.now
        ) { notify(.selected($0)) }
    }
}
