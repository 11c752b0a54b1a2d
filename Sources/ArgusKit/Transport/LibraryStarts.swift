import Glibc
import Synchronization

// Initialisations that libcurl's companions run when they are loaded, and argus may never need: the
// program exports these names (Package.swift, scripts/exports.map), and the libraries find them
// before those of one another.

/// Keeps GnuTLS from initialising itself when it is loaded (`GNUTLS_SKIP_GLOBAL_INIT` in gnutls.h).
///
/// libcurl loads GnuTLS for protocols that argus never speaks, and its initialisation is a twentieth
/// of the loading time. A libcurl on GnuTLS initialises it by itself (gnutls_global_init(3)); for
/// libsecret argus does (`SecretLibrary`).
@_cdecl("_gnutls_global_init_skip")
public func skipGlobalStartOfGnuTLS() -> Int32 { 1 }

/// Keeps libssh2 from initialising its cryptography: argus uses http and https only.
@_cdecl("libssh2_init")
public func skipStartOfSSH(_ flags: Int32) -> Int32 { 0 }

/// Delays the initialisation of OpenSSL until TLS is used (OPENSSL_init_ssl(3)).
///
/// curl_global_init(3) requests it for any URL and waits until OpenSSL has read its configuration: a
/// twentieth of the time of a short request. Other callers are served at once.
@_cdecl("OPENSSL_init_ssl")
public func startOpenSSL(_ options: UInt64, _ settings: OpaquePointer?) -> Int32 {
    OpenSSLInitialisation.shared.initialise(options, settings)
}

/// The initialisation of OpenSSL, which libcurl requests before it is known whether TLS is used.
final class OpenSSLInitialisation: Sendable {
    /// OPENSSL_init_ssl(3) itself.
    typealias Function = @convention(c) (UInt64, OpaquePointer?) -> Int32

    static let shared = OpenSSLInitialisation { find() }

    private struct State {
        var isDeferring = false
        var deferredOptions: UInt64?
    }

    private let state = Mutex(State())
    private let function: @Sendable () -> Function?

    init(_ function: @escaping @Sendable () -> Function?) { self.function = function }

    /// Delays requests for initialisation during `work`.
    func deferring<Value>(_ work: () -> Value) -> Value {
        state.withLock { $0.isDeferring = true }
        defer { state.withLock { $0.isDeferring = false } }
        return work()
    }

    /// Runs a delayed initialisation, which is due before TLS is used.
    ///
    /// libssl may find its own function instead of the program's, so nothing else may be relied on.
    func runDeferred() {
        let options = state.withLock { $0.deferredOptions.take() }
        // libcurl ignores the result too: a failure shows in the handshake.
        if let options { _ = function()?(options, nil) }
    }

    /// The result of OPENSSL_init_ssl(3): 1 if OpenSSL is or will be initialised, else 0.
    func initialise(_ options: UInt64, _ settings: OpaquePointer?) -> Int32 {
        let isDeferred = state.withLock { state in
            // Settings are valid only during the call.
            guard state.isDeferring, settings == nil else { return false }
            state.deferredOptions = (state.deferredOptions ?? 0) | options
            return true
        }
        if isDeferred { return 1 }
        runDeferred()
        return function()?(options, settings) ?? 0
    }

    /// The function in a loaded library, libcurl's if there are several.
    private static func find() -> Function? {
        for name in ["libcurl.so.4", "libssl.so.3", "libssl.so.1.1"] {
            guard let image = dlopen(name, RTLD_LAZY | RTLD_NOLOAD),
                let address = dlsym(image, "OPENSSL_init_ssl")
            else { continue }
            return unsafeBitCast(address, to: Function.self)
        }
        return nil
    }
}
