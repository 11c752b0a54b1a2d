// Skips initialisations of libcurl's dependencies that argus may never need: the program exports
// these names (Package.swift, scripts/exports.map), and the libraries find them before those of one
// another.

/// Keeps GnuTLS from initialising itself when it is loaded (`GNUTLS_SKIP_GLOBAL_INIT` in gnutls.h).
///
/// libcurl pulls GnuTLS in for protocols that argus never uses, and its initialisation takes a
/// twentieth of the loading time. A libcurl built on GnuTLS initialises it itself
/// (gnutls_global_init(3)); for libsecret argus does (`SecretLibrary`).
@_cdecl("_gnutls_global_init_skip")
public func skipGlobalStartOfGnuTLS() -> Int32 { 1 }

/// Keeps libssh2 from initialising its cryptography: argus permits libcurl http and https only.
@_cdecl("libssh2_init")
public func skipStartOfSSH(_ flags: Int32) -> Int32 { 0 }

/// Delays the initialisation of OpenSSL until TLS is used (OPENSSL_init_ssl(3)).
///
/// curl_global_init(3) requests it for any URL and waits while OpenSSL reads its configuration, a
/// twentieth of the time of a short request. Other callers get what they request.
@_cdecl("OPENSSL_init_ssl")
public func startOpenSSL(_ options: UInt64, _ settings: OpaquePointer?) -> Int32 {
    OpenSSLStart.shared.ask(options, settings)
}
