import CAvahi
import Glibc

/// The demo's announcement on the local network, by the avahi-daemon while the demo runs.
///
/// On the loopback interface only, where the demo listens.
enum Advertisement {
    /// Publishes a server on this port; a separate thread then answers the daemon.
    ///
    /// - Throws: The reason why nothing can be published.
    static func publish(port: Int) throws(SystemFailure) {
        let avahi = try Functions()
        guard let poll = avahi.pollNew() else {
            throw SystemFailure("cannot advertise", code: ENOMEM)
        }
        var code: Int32 = 0
        guard
            let client = avahi.clientNew(
                avahi.pollAPI(poll), AvahiClientFlags(rawValue: 0), ignoreClient, nil, &code)
        else {
            throw SystemFailure(words: "cannot advertise: \(avahi.text(code))")
        }
        var records: UnsafeMutablePointer<AvahiStringList>?
        for text in ["ssl=false", "api_port=\(port)", "version=1.0.0"] {
            records = avahi.listAdd(records, text)
        }
        let loopback = AvahiIfIndex(if_nametoindex("lo"))
        guard let group = avahi.groupNew(client, ignoreGroup, nil) else {
            throw SystemFailure(words: "cannot advertise: \(avahi.text(AVAHI_ERR_NO_MEMORY))")
        }
        code = avahi.groupAdd(
            group, loopback, AvahiProtocol(AVAHI_PROTO_INET), AvahiPublishFlags(rawValue: 0),
            "ArgusAI demo \(port)", "_argusai._tcp", nil, nil, UInt16(port), records)
        if code == 0 { code = avahi.groupCommit(group) }
        guard code == 0 else { throw SystemFailure(words: "cannot advertise: \(avahi.text(code))") }
        let loop = Unmanaged.passRetained(Loop(avahi, poll))
        var thread = pthread_t()
        let refusal = pthread_create(&thread, nil, runLoop, loop.toOpaque())
        guard refusal == 0 else { throw SystemFailure("cannot advertise", code: refusal) }
        pthread_detach(thread)
    }

    /// The context of the thread; it lives as long as the process.
    fileprivate final class Loop {
        let avahi: Functions
        let poll: OpaquePointer

        init(_ avahi: Functions, _ poll: OpaquePointer) {
            self.avahi = avahi
            self.poll = poll
        }
    }

    /// The functions of libavahi-client that publishing needs.
    fileprivate struct Functions {
        let pollNew: argus_simple_poll_new_function
        let pollAPI: argus_simple_poll_get_function
        let pollIterate: argus_simple_poll_iterate_function
        let clientNew: argus_client_new_function
        let groupNew: argus_entry_group_new_function
        let groupAdd: argus_entry_group_add_function
        let groupCommit: argus_entry_group_commit_function
        let listAdd: argus_string_list_add_function
        let words: argus_avahi_strerror_function

        init() throws(SystemFailure) {
            guard let image = dlopen("libavahi-client.so.3", RTLD_LAZY | RTLD_LOCAL) else {
                throw SystemFailure(
                    words: "cannot advertise: no libavahi-client (package libavahi-client3)")
            }
            func function<Signature>(_ name: String) throws(SystemFailure) -> Signature {
                guard let address = dlsym(image, name) else {
                    throw SystemFailure(words: "cannot advertise: libavahi-client lacks \(name)")
                }
                return unsafeBitCast(address, to: Signature.self)
            }
            pollNew = try function("avahi_simple_poll_new")
            pollAPI = try function("avahi_simple_poll_get")
            pollIterate = try function("avahi_simple_poll_iterate")
            clientNew = try function("avahi_client_new")
            groupNew = try function("avahi_entry_group_new")
            groupAdd = try function("avahi_entry_group_add_service_strlst")
            groupCommit = try function("avahi_entry_group_commit")
            listAdd = try function("avahi_string_list_add")
            words = try function("avahi_strerror")
        }

        func text(_ code: Int32) -> String {
            words(code).map { String(cString: $0).lowercased() } ?? "error \(code)"
        }

        func text(_ code: Int) -> String { text(Int32(code)) }
    }
}

/// The thread's main function (pthread_create(3)).
private func runLoop(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let context else { return nil }
    let loop = Unmanaged<Advertisement.Loop>.fromOpaque(context).takeUnretainedValue()
    while loop.avahi.pollIterate(loop.poll, -1) == 0 {}
    return nil
}

/// AvahiClientCallback, which libavahi requires.
private func ignoreClient(
    _ client: OpaquePointer?, _ state: AvahiClientState, _ context: UnsafeMutableRawPointer?
) {}

/// AvahiEntryGroupCallback: the state of the entry changed.
private func ignoreGroup(
    _ group: OpaquePointer?, _ state: AvahiEntryGroupState, _ context: UnsafeMutableRawPointer?
) {}
