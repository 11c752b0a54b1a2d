import CAvahi
import Glibc

/// The demo's announcement by the avahi-daemon, on the loopback interface, where the demo listens.
enum Advertisement {
    /// Publishes a server on this port; a thread of libavahi then answers the daemon.
    static func publish(port: Int) throws(SystemFailure) {
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
        let pollNew: argus_threaded_poll_new_function = try function("avahi_threaded_poll_new")
        let pollAPI: argus_threaded_poll_get_function = try function("avahi_threaded_poll_get")
        let pollStart: argus_threaded_poll_start_function =
            try function("avahi_threaded_poll_start")
        let clientNew: argus_client_new_function = try function("avahi_client_new")
        let groupNew: argus_entry_group_new_function = try function("avahi_entry_group_new")
        let groupAdd: argus_entry_group_add_function =
            try function("avahi_entry_group_add_service_strlst")
        let groupCommit: argus_entry_group_commit_function =
            try function("avahi_entry_group_commit")
        let listAdd: argus_string_list_add_function = try function("avahi_string_list_add")
        let words: argus_avahi_strerror_function = try function("avahi_strerror")

        func failure(_ code: Int32) -> SystemFailure {
            let text = words(code).map { String(cString: $0).lowercased() } ?? "error \(code)"
            return SystemFailure(words: "cannot advertise: \(text)")
        }
        guard let poll = pollNew() else { throw SystemFailure("cannot advertise", code: ENOMEM) }
        var code: Int32 = 0
        let client = clientNew(
            pollAPI(poll), AvahiClientFlags(rawValue: 0), { _, _, _ in }, nil, &code)
        guard let client else { throw failure(code) }
        guard let group = groupNew(client, { _, _, _ in }, nil) else {
            throw failure(Int32(AVAHI_ERR_NO_MEMORY))
        }
        var records: UnsafeMutablePointer<AvahiStringList>?
        for text in ["ssl=false", "api_port=\(port)", "version=1.0.0"] {
            records = listAdd(records, text)
        }
        code = groupAdd(
            group, AvahiIfIndex(if_nametoindex("lo")), AvahiProtocol(AVAHI_PROTO_INET),
            AvahiPublishFlags(rawValue: 0), "ArgusAI demo \(port)", "_argusai._tcp", nil, nil,
            UInt16(port), records)
        if code == 0 { code = groupCommit(group) }
        guard code == 0 else { throw failure(code) }
        guard pollStart(poll) == 0 else { throw SystemFailure("cannot advertise", code: EAGAIN) }
    }
}
