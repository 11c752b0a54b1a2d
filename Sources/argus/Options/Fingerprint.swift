import ArgusAccount
import ArgusTransport
package import CommandLineKit

/// The SHA-256 of a certificate on the command line, in hexadecimal.
extension CertificateFingerprint: ArgumentValue {
    package static var placeholder: String { "SHA256" }

    package init(argument: String) throws(ValueError) {
        guard let fingerprint = Self(argument) else {
            throw ValueError("is not a SHA-256, which has 64 hexadecimal digits")
        }
        self = fingerprint
    }
}

extension Flag {
    /// The option `--fingerprint` of commands that decide what a server must prove.
    static func fingerprint(_ path: OptionPath<CertificateFingerprint?>) -> Flag {
        .option(
            "fingerprint", sets: path, "Trust the certificate with this SHA-256",
            details: ["Hexadecimal; colons and case do not matter."])
    }
}

extension CredentialOverrides {
    /// The fingerprint that the server must show: the option's, else that of the environment.
    ///
    /// - Throws: `Failure` 2 for an invalid fingerprint; nothing is trusted then.
    func fingerprint(
        unless option: CertificateFingerprint?
    ) throws(Failure) -> CertificateFingerprint? {
        if let option { return option }
        return try attempt(fingerprint())
    }
}
