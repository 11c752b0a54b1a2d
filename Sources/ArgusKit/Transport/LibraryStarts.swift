// What libcurl and its companions would prepare when they are loaded, and argus may never need: the
// program exports these names (Package.swift, scripts/exports.map), and the libraries find them
// before those of one another.

/// Tells GnuTLS not to prepare itself when it is loaded; it asks the program for this name
/// (`GNUTLS_SKIP_GLOBAL_INIT` in gnutls.h).
///
/// libcurl brings GnuTLS along for protocols that argus never speaks, and its start is a twentieth
/// of the time that loading takes. A libcurl whose TLS library it is prepares it by itself
/// (gnutls_global_init(3)); for libsecret argus does (`SecretLibrary`).
@_cdecl("_gnutls_global_init_skip")
public func skipGlobalStartOfGnuTLS() -> Int32 { 1 }

/// Has libssh2 not prepare its cryptography: argus lets libcurl speak http and https only.
@_cdecl("libssh2_init")
public func skipStartOfSSH(_ flags: Int32) -> Int32 { 0 }

/// Puts the start of OpenSSL off until TLS is spoken (OPENSSL_init_ssl(3)).
///
/// curl_global_init(3) asks for it, whatever the URL, and waits for OpenSSL's configuration to be
/// read: a twentieth of the time that a short request takes. Everybody else gets what they ask for.
@_cdecl("OPENSSL_init_ssl")
public func startOpenSSL(_ options: UInt64, _ settings: OpaquePointer?) -> Int32 {
    OpenSSLStart.shared.ask(options, settings)
}
