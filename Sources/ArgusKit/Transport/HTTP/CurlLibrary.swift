import ArgusCore
import CCurl
import Glibc

/// The functions of libcurl, which takes longer to load than argus to start.
///
/// Unchecked because C function types are not Sendable: every property is the address of code.
final class CurlLibrary: @unchecked Sendable {
    let setOption: UnsafeMutableRawPointer
    let getInfo: UnsafeMutableRawPointer
    let easyInit: argus_easy_init_function
    let easyCleanup: argus_easy_cleanup_function
    let easyWords: argus_easy_strerror_function
    let easyReceive: argus_easy_recv_function
    let easySend: argus_easy_send_function
    let listAppend: argus_slist_append_function
    let listFree: argus_slist_free_all_function
    let multiSetOption: UnsafeMutableRawPointer
    let multiInit: argus_multi_init_function
    let multiCleanup: argus_multi_cleanup_function
    let multiAdd: argus_multi_add_handle_function
    let multiRemove: argus_multi_remove_handle_function
    let multiPerform: argus_multi_perform_function
    let multiReadInfo: argus_multi_info_read_function
    let multiPoll: argus_multi_poll_function
    let multiWakeup: argus_multi_wakeup_function

    static let shared = Result { () throws(TransportError) in
        try CurlLibrary(opening: "libcurl.so.4")
    }

    /// 7.68.0, which introduced curl_multi_wakeup(3), as curl_version_info(3) packs it.
    private static let oldest: UInt32 = 0x07_44_00

    private static let package = "libcurl4"

    /// Opens a shared library and looks up every function.
    /// - Throws: `.libraryMissing` with the package to install.
    init(opening name: String) throws(TransportError) {
        let library = try SharedLibrary(name, of: Self.package, failing: Self.unusable)
        setOption = try library.symbol("curl_easy_setopt")
        getInfo = try library.symbol("curl_easy_getinfo")
        easyInit = try library.function("curl_easy_init")
        easyCleanup = try library.function("curl_easy_cleanup")
        easyWords = try library.function("curl_easy_strerror")
        easyReceive = try library.function("curl_easy_recv")
        easySend = try library.function("curl_easy_send")
        listAppend = try library.function("curl_slist_append")
        listFree = try library.function("curl_slist_free_all")
        multiSetOption = try library.symbol("curl_multi_setopt")
        multiInit = try library.function("curl_multi_init")
        multiCleanup = try library.function("curl_multi_cleanup")
        multiAdd = try library.function("curl_multi_add_handle")
        multiRemove = try library.function("curl_multi_remove_handle")
        multiPerform = try library.function("curl_multi_perform")
        multiReadInfo = try library.function("curl_multi_info_read")
        multiPoll = try library.function("curl_multi_poll")
        multiWakeup = try library.function("curl_multi_wakeup")

        let versionInfo: argus_version_info_function = try library.function("curl_version_info")
        let version = versionInfo(CURLVERSION_FIRST)?.pointee.version_num ?? 0
        guard version >= Self.oldest else {
            throw Self.unusable("it is older than 7.68; install the package '\(Self.package)'")
        }

        let globalInit: argus_global_init_function = try library.function("curl_global_init")
        guard globalInit(Int(CURL_GLOBAL_ALL)) == CURLE_OK else {
            throw Self.unusable("it cannot be initialised")
        }
    }

    private static func unusable(_ reason: String) -> TransportError {
        TransportError(
            .libraryMissing, "cannot use libcurl: \(reason)", nothingSent: true)
    }
}

extension CURLcode {
    /// The kind of failure, if nothing else is known about the transfer (libcurl-errors(3)).
    package var kind: TransportError.Kind {
        switch self {
        case CURLE_COULDNT_RESOLVE_HOST: .unresolvedHost
        case CURLE_COULDNT_CONNECT, CURLE_INTERFACE_FAILED: .notConnected
        case CURLE_COULDNT_RESOLVE_PROXY, CURLE_PROXY: .proxyFailed
        case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_PINNEDPUBKEYNOTMATCH,
            CURLE_SSL_ISSUER_ERROR, CURLE_SSL_INVALIDCERTSTATUS:
            .identityRefused
        case CURLE_SSL_CONNECT_ERROR, CURLE_SSL_CIPHER, CURLE_USE_SSL_FAILED: .handshakeFailed
        case CURLE_SSL_CACERT_BADFILE, CURLE_SSL_CERTPROBLEM, CURLE_SSL_CRL_BADFILE:
            .unusableFile
        // argus's own writing stops a transfer with a reason: what else cannot be written is what
        // follows the end of a compressed body.
        case CURLE_PARTIAL_FILE, CURLE_BAD_CONTENT_ENCODING, CURLE_WRITE_ERROR: .truncatedBody
        // HTTP/0.9, which any garbage is, counts as an unsupported protocol.
        case CURLE_WEIRD_SERVER_REPLY, CURLE_UNSUPPORTED_PROTOCOL: .malformedAnswer
        // An endless header line ends as "out of memory", or as the newer CURLE_TOO_LARGE.
        case CURLE_FILESIZE_EXCEEDED, CURLE_OUT_OF_MEMORY, CURLcode(rawValue: 100): .tooLarge
        case CURLE_URL_MALFORMAT: .invalidRequest
        default: .connectionLost
        }
    }
}
