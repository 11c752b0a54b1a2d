import CAvahi
import Glibc

/// The libavahi objects of one browse; confined to the thread of the browse.
///
/// Resolves services without addresses and then queries every address of their hosts: Avahi's own
/// resolvers return only one address of each family.
final class AvahiSearch {
    /// The most open queries of each kind; the daemon allows 1024 objects for each client.
    private static let maxResolvers = 200
    private static let maxHosts = 400

    let avahi: AvahiLibrary
    private let poll: OpaquePointer
    private let target: DiscoveryTarget
    private let run: AvahiRun
    private var client: OpaquePointer?
    private var isBrowsing = false
    private var resolving: [AvahiService] = []
    private var waiting: [AvahiService] = []
    private var hosts: [AvahiHost] = []

    /// The error that ends the browse.
    private(set) var failure: DiscoveryError?
    private(set) var isDisconnected = false

    init(_ avahi: AvahiLibrary, _ poll: OpaquePointer, for target: DiscoveryTarget, _ run: AvahiRun)
    {
        self.avahi = avahi
        self.poll = poll
        self.target = target
        self.run = run
    }

    /// Connects to the daemon, and browses as soon as it is ready.
    /// - Throws: The reason why the daemon is unreachable; `.daemonLost` while waiting for one that
    ///   has stopped.
    func connect(waitingForDaemon isWaiting: Bool) throws(DiscoveryError) {
        isDisconnected = false
        var code: Int32 = 0
        let context = Unmanaged.passUnretained(self).toOpaque()
        let flags = isWaiting ? AVAHI_CLIENT_NO_FAIL : AvahiClientFlags(rawValue: 0)
        client = avahi.clientNew(avahi.pollAPI(poll), flags, clientChanged, context, &code)
        guard client != nil else { throw isWaiting ? .daemonLost : error(code) }
        if let failure { throw failure }
    }

    /// Releases all libavahi objects; browsers and resolvers go with their client.
    func end() {
        if let client { avahi.clientFree(client) }
        (client, isBrowsing) = (nil, false)
        (resolving, waiting, hosts) = ([], [], [])
    }

    func changed(_ client: OpaquePointer, _ state: AvahiClientState) {
        switch state {
        case AVAHI_CLIENT_S_RUNNING, AVAHI_CLIENT_S_REGISTERING, AVAHI_CLIENT_S_COLLISION:
            run.daemon = .answering
            if !isBrowsing { browse(client) }
        case AVAHI_CLIENT_FAILURE: failed(client)
        default: break
        }
    }

    private func browse(_ client: OpaquePointer) {
        isBrowsing = true
        switch target {
        case .servers:
            let context = Unmanaged.passUnretained(self).toOpaque()
            let browser = avahi.serviceBrowserNew(
                client, Int32(AVAHI_IF_UNSPEC), Int32(AVAHI_PROTO_UNSPEC), "_argusai._tcp", nil,
                AvahiLookupFlags(rawValue: 0), serviceSeen, context)
            if browser == nil { failure = error(avahi.clientError(client)) }
        case .host(let name):
            watch(AvahiHost(name, on: Int32(AVAHI_IF_UNSPEC), for: self), client)
                .services.append(nil)
        }
    }

    func browserFailed() {
        if let client { failed(client) }
    }

    private func failed(_ client: OpaquePointer) {
        let code = avahi.clientError(client)
        if Int(code) == AVAHI_ERR_DISCONNECTED {
            isDisconnected = true
        } else {
            failure = error(code)
        }
    }

    func seen(_ service: AvahiService) {
        waiting.append(service)
        if let client { resolveMore(client) }
    }

    private func resolveMore(_ client: OpaquePointer) {
        while resolving.count < Self.maxResolvers, !waiting.isEmpty {
            let service = waiting.removeFirst()
            let context = Unmanaged.passUnretained(service).toOpaque()
            // In the list before the call, since libavahi may call back before it returns.
            resolving.append(service)
            let resolver = avahi.serviceResolverNew(
                client, service.interface, service.family, service.name, service.type,
                service.domain, Int32(AVAHI_PROTO_UNSPEC), AVAHI_LOOKUP_NO_ADDRESS,
                serviceResolved, context)
            if resolver == nil { resolving.removeAll { $0 === service } }
        }
    }

    /// Handles the answer of a service; nil if none came.
    func resolved(
        _ service: AvahiService, by resolver: OpaquePointer,
        _ answer: (host: String, port: UInt16, txt: [TXTEntry])?
    ) {
        _ = avahi.serviceResolverFree(resolver)
        resolving.removeAll { $0 === service }
        guard let client else { return }
        defer { resolveMore(client) }
        guard let answer else { return }
        service.answer = answer
        let host =
            hosts.first { $0.name == answer.host && $0.interface == service.interface }
            ?? watch(AvahiHost(answer.host, on: service.interface, for: self), client)
        host.services.append(service)
        for address in host.addresses { deliver(service, host, address) }
    }

    private func watch(_ host: AvahiHost, _ client: OpaquePointer) -> AvahiHost {
        guard hosts.count < Self.maxHosts else { return host }
        hosts.append(host)
        let context = Unmanaged.passUnretained(host).toOpaque()
        for type in [UInt16(AVAHI_DNS_TYPE_A), UInt16(AVAHI_DNS_TYPE_AAAA)] {
            _ = avahi.recordBrowserNew(
                client, host.interface, Int32(AVAHI_PROTO_UNSPEC), host.name,
                UInt16(AVAHI_DNS_CLASS_IN), type, AvahiLookupFlags(rawValue: 0),
                addressSeen, context)
        }
        return host
    }

    func seen(_ address: AvahiHost.Address, of host: AvahiHost) {
        guard !host.addresses.contains(address) else { return }
        host.addresses.append(address)
        for service in host.services { deliver(service, host, address) }
    }

    private func deliver(_ service: AvahiService?, _ host: AvahiHost, _ address: AvahiHost.Address)
    {
        guard let interface = interfaceName(of: address.interface) else { return }
        let answer = service?.answer
        run.deliver(
            .found(
                DiscoveredServer(
                    name: service?.name ?? host.name, host: host.name, interface: interface,
                    address: address.text(scope: interface), port: answer?.port ?? 0,
                    txt: answer?.txt ?? [])))
    }

    private func error(_ code: Int32) -> DiscoveryError {
        let words = avahi.description(of: code)
        return switch Int(code) {
        case AVAHI_ERR_NO_DAEMON: .unreachableDaemon
        case AVAHI_ERR_DISCONNECTED: .daemonLost
        case AVAHI_ERR_DBUS_ERROR: .noBus(words)
        case AVAHI_ERR_ACCESS_DENIED, AVAHI_ERR_NOT_PERMITTED: .denied(words)
        default: .failed(words)
        }
    }
}
