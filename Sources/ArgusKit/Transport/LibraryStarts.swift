import Glibc
import Synchronization

// What libcurl and its companions would prepare when they are loaded, and argus may never need: the
// program exports these names (Package.swift, scripts/exports.map), and the libraries find them
// before those of one another.

/// Tells GnuTLS not to prepare itself when it is loaded; it asks the program for this name
/// (`GNUTLS_SKIP_GLOBAL_INIT` in gnutls.h).
///
/// libcurl brings GnuTLS along for protocols that argus never speaks, and its start is a twentieth
/// of the time that loading takes. A libcurl whose TLS library it is prepares it by itself
/// (gnutls_global_init(3)).
@_cdecl("_gnutls_global_init_skip")
public func skipGlobalStartOfGnuTLS() -> Int32 { 1 }

/// Has libssh2 not prepare its cryptography: argus lets libcurl speak http and https only.
@_cdecl("libssh2_init")
public func skipStartOfSSH(_ flags: Int32) -> Int32 { 0 }

/// Puts the start of OpenSSL off until something wants to speak TLS (OPENSSL_init_ssl(3)).
///
/// curl_global_init(3) asks for it, whatever the URL, and waits for OpenSSL's configuration to be
/// read: as long as a request to a server on this machine takes. libssl asks for it again, by this
/// same name, before it makes a context.
@_cdecl("OPENSSL_init_ssl")
public func startOpenSSL(_ options: UInt64, _ settings: OpaquePointer?) -> Int32 {
    OpenSSLStart.ask(OpenSSLStart.Request(options: options, settings: settings))
}

/// The start of OpenSSL, put off for as long as libcurl prepares itself.
enum OpenSSLStart {
    /// What a caller of OPENSSL_init_ssl(3) asks for.
    struct Request: @unchecked Sendable {
        // Unchecked because of the pointer, which is OpenSSL's and only handed on.
        let options: UInt64
        let settings: OpaquePointer?
    }

    typealias Function = @convention(c) (UInt64, OpaquePointer?) -> Int32

    private struct State {
        var isReady = false
        var putOff: [Request] = []
        var function: Function?
    }

    private static let state = Mutex(State())

    /// Does from now on what is asked for, beginning with what was put off.
    ///
    /// The image is libcurl's: whatever asks is one of the libraries that it needs.
    static func allow(by image: UnsafeMutableRawPointer) {
        let address = dlsym(image, "OPENSSL_init_ssl")
        state.withLock { state in
            state.isReady = true
            state.function = address.map { unsafeBitCast($0, to: Function.self) }
        }
    }

    /// 1 where OpenSSL is or will be prepared, 0 where it cannot be.
    static func ask(_ request: Request) -> Int32 {
        let (requests, function) = state.withLock { state -> ([Request], Function?) in
            state.putOff.append(request)
            guard state.isReady else { return ([], nil) }
            defer { state.putOff = [] }
            return (state.putOff, state.function)
        }
        guard !requests.isEmpty else { return 1 }
        guard let function else { return 0 }
        return requests.allSatisfy { function($0.options, $0.settings) == 1 } ? 1 : 0
    }
}
