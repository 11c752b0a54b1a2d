import ArgusCore
import CAvahi
import Glibc

/// The functions of libavahi-client, loaded with libdbus at the first browse.
///
/// Unchecked because C function types are not Sendable: every property is the address of code.
final class AvahiLibrary: @unchecked Sendable {
    let pollNew: argus_simple_poll_new_function
    let pollFree: argus_simple_poll_free_function
    let pollAPI: argus_simple_poll_get_function
    let pollIterate: argus_simple_poll_iterate_function
    let pollWakeup: argus_simple_poll_wakeup_function
    let words: argus_avahi_strerror_function
    let textNext: argus_string_list_get_next_function
    let textBytes: argus_string_list_get_text_function
    let textSize: argus_string_list_get_size_function
    let clientNew: argus_client_new_function
    let clientFree: argus_client_free_function
    let clientError: argus_client_errno_function
    let serviceBrowserNew: argus_service_browser_new_function
    let serviceResolverNew: argus_service_resolver_new_function
    let serviceResolverFree: argus_service_resolver_free_function
    let recordBrowserNew: argus_record_browser_new_function

    static let shared = Result { () throws(DiscoveryError) in
        try AvahiLibrary(opening: "libavahi-client.so.3")
    }

    /// Opens a shared library and looks up every function, those of libavahi-common included.
    /// - Throws: `.libraryMissing`.
    init(opening name: String) throws(DiscoveryError) {
        let library = try SharedLibrary(
            name, of: "libavahi-client3", failing: DiscoveryError.libraryMissing)
        pollNew = try library.function("avahi_simple_poll_new")
        pollFree = try library.function("avahi_simple_poll_free")
        pollAPI = try library.function("avahi_simple_poll_get")
        pollIterate = try library.function("avahi_simple_poll_iterate")
        pollWakeup = try library.function("avahi_simple_poll_wakeup")
        words = try library.function("avahi_strerror")
        textNext = try library.function("avahi_string_list_get_next")
        textBytes = try library.function("avahi_string_list_get_text")
        textSize = try library.function("avahi_string_list_get_size")
        clientNew = try library.function("avahi_client_new")
        clientFree = try library.function("avahi_client_free")
        clientError = try library.function("avahi_client_errno")
        serviceBrowserNew = try library.function("avahi_service_browser_new")
        serviceResolverNew = try library.function("avahi_service_resolver_new")
        serviceResolverFree = try library.function("avahi_service_resolver_free")
        recordBrowserNew = try library.function("avahi_record_browser_new")
    }

    /// libavahi's message for an error code.
    func description(of code: Int32) -> String {
        words(code).map { String(cString: $0).lowercased() } ?? "error \(code)"
    }

    /// The key and value pairs of a TXT record, in the order of the record.
    func entries(of list: UnsafeMutablePointer<AvahiStringList>?) -> [TXTEntry] {
        var entries: [TXTEntry] = []
        var next = list
        while let item = next {
            if let bytes = textBytes(item) {
                entries.append(TXTEntry(UnsafeBufferPointer(start: bytes, count: textSize(item))))
            }
            next = textNext(item)
        }
        // libavahi lists the strings of a record from last to first.
        return entries.reversed()
    }
}
