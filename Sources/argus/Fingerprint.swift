import ArgusKit
import CommandLineKit

/// The SHA-256 of a certificate on the command line, in hexadecimal.
struct Fingerprint: ArgumentValue, Equatable {
    static var placeholder: String { "SHA256" }

    var certificate: CertificateFingerprint

    init(_ certificate: CertificateFingerprint) {
        self.certificate = certificate
    }

    init(argument: String) throws(ValueError) {
        guard let certificate = CertificateFingerprint(argument) else {
            throw ValueError("is no SHA-256: 64 hexadecimal digits are needed")
        }
        self.certificate = certificate
    }
}

extension Flag {
    /// The option `--fingerprint` of commands that decide what a server must prove.
    static func fingerprint(
        _ place: Place<Fingerprint?>
    ) -> Flag {
        .option(
            "fingerprint", sets: place, "Trust the certificate with this SHA-256",
            details: ["Hexadecimal; colons and case do not matter."])
    }
}

extension Context {
    /// The fingerprint that the server must show: the option's, then `ARGUS_FINGERPRINT`, then
    /// `argus.fingerprint` of `$CREDENTIALS_DIRECTORY`; nil when nobody gave one.
    ///
    /// - Throws: `Failure` 2 for a text that is no fingerprint; nothing is trusted then.
    func expectedFingerprint(_ option: Fingerprint?) throws(Failure) -> CertificateFingerprint? {
        if let option { return option.certificate }
        if let text = system.environment["ARGUS_FINGERPRINT"] {
            return try fingerprint(text, from: "ARGUS_FINGERPRINT")
        }
        guard let path = explicitCredentials.serviceFile("argus.fingerprint") else { return nil }
        let file: SecretFile
        do throws(SecretError) {
            file = try SecretFile(path, as: .anyText)
        } catch {
            throw Failure(.usage, "\(error)")
        }
        return try fingerprint(
            file.secret.reveal(), from: "$CREDENTIALS_DIRECTORY/argus.fingerprint")
    }

    private func fingerprint(
        _ text: String, from source: String
    ) throws(Failure) -> CertificateFingerprint {
        guard let fingerprint = CertificateFingerprint(text) else {
            throw Failure(
                .usage, "\(source) is no SHA-256 fingerprint",
                hint: "64 hexadecimal digits are needed, with colons or without")
        }
        return fingerprint
    }
}
