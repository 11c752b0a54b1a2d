/// Tells GnuTLS not to prepare itself when it is loaded; it asks the program for this name
/// (`GNUTLS_SKIP_GLOBAL_INIT` in gnutls.h).
///
/// libcurl brings GnuTLS along for protocols that argus never speaks, and its start is a twentieth
/// of the time that loading takes. A libcurl whose TLS library it is prepares it by itself
/// (gnutls_global_init(3)).
@_cdecl("_gnutls_global_init_skip")
public func skipGlobalStartOfGnuTLS() -> Int32 { 1 }
