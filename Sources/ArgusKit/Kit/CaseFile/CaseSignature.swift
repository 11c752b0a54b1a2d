package import ArgusCore
import Glibc

/// Signatures of manifests with SSH keys, made and checked by ssh-keygen(1).
package struct CaseSignature: Sendable {
    /// The purpose that a signature is bound to, so that one made for something else does not count.
    static let namespace = "argus-bundle"
    private static let timeout = Duration.seconds(20)

    /// Who made a signature.
    package struct Signer: Sendable, Equatable {
        /// The name in the list of allowed signers; nil without such a list.
        package var name: String?
        /// The key, such as `ED25519 key SHA256:…`.
        package var key: String
    }

    private let program: String
    private let environment: Environment

    /// Finds ssh-keygen.
    /// - Throws: `CaseFileError.signing` if it is not installed.
    package init(_ environment: Environment) throws(CaseFileError) {
        guard let program = ProgramSearch.path(of: "ssh-keygen", in: environment) else {
            throw .signing("cannot run ssh-keygen: install the package 'openssh-client'")
        }
        (self.program, self.environment) = (program, environment)
    }

    private var temporaryFolder: String { environment["TMPDIR"] ?? "/tmp" }

    /// Signs a manifest with a private key, or by the agent that has that of a public key; prompts for
    /// the key's passphrase on the terminal.
    /// - Throws: `CaseFileError`.
    package func sign(_ manifest: [UInt8], with key: String) throws(CaseFileError) -> [UInt8] {
        // ssh-keygen prompts only while its input is the terminal, so that the manifest is a file.
        let file = try rethrowing(
            try PrivateTemporaryFile(manifest, in: temporaryFolder, kind: "json"),
            as: CaseFileError.file)
        let path = file.path + ".sig"
        let slot = TemporaryFiles.register(path)
        defer {
            unlink(path)
            TemporaryFiles.forget(slot)
        }
        let status: Int32?
        do throws(Errno) {
            status = try Subprocess.runInForeground(
                program, ["-q", "-Y", "sign", "-n", Self.namespace, "-f", key, file.path],
                environment: environment, streams: [(STDERR_FILENO, STDOUT_FILENO)])
        } catch {
            throw .signing("cannot run ssh-keygen: \(error)")
        }
        guard status == 0 else {
            throw .signing("ssh-keygen could not sign with '\(key)'")
        }
        return try rethrowing(
            try FileContents(path, trust: .named, limit: 64 << 10).bytes, as: CaseFileError.file)
    }

    /// Checks the signature of a manifest, against a file of allowed signers if one is given; nil if it
    /// does not hold, or is not one of theirs.
    /// - Throws: `CaseFileError` if ssh-keygen cannot be run.
    package func signer(
        of manifest: [UInt8], by signature: [UInt8], allowed: String?
    ) async throws(CaseFileError) -> Signer? {
        let file = try rethrowing(
            try PrivateTemporaryFile(signature, in: temporaryFolder, kind: "sig"),
            as: CaseFileError.file)
        defer { withExtendedLifetime(file) {} }
        let common = ["-n", Self.namespace, "-s", file.path]
        guard let allowed else {
            let output = try await run(["-Y", "check-novalidate"] + common, manifest)
            return output.flatMap { Self.key(in: $0) }.map { Signer(key: $0) }
        }
        let names = try await run(
            ["-Y", "find-principals", "-s", file.path, "-f", allowed], manifest)
        // A line may name several, as the file does.
        for name in (names ?? "").split(whereSeparator: { "\n,".contains($0) }).map(String.init) {
            let output = try await run(
                ["-Y", "verify", "-f", allowed, "-I", name] + common, manifest)
            if let key = output.flatMap({ Self.key(in: $0) }) {
                return Signer(name: name, key: key)
            }
        }
        return nil
    }

    /// The output of a run; nil if it ended with a failure.
    private func run(
        _ arguments: [String], _ input: [UInt8]
    ) async throws(CaseFileError) -> String? {
        do throws(SubprocessError) {
            let answer = try await Subprocess.run(
                program, arguments, environment: environment, timeout: Self.timeout,
                outputLimit: 64 << 10, input: Redacted(input, masking: []))
            guard answer.status == 0 else { return nil }
            return String(decoding: answer.output.reveal(), as: UTF8.self)
        } catch {
            throw .signing("cannot run ssh-keygen: \(error)")
        }
    }

    /// The key in `Good "argus-bundle" signature for anna with ED25519 key SHA256:…`.
    private static func key(in output: String) -> String? {
        guard let line = output.split(separator: "\n").first(where: { $0.hasPrefix("Good ") }),
            let with = line.ranges(of: " with ").last
        else { return nil }
        return String(line[with.upperBound...])
    }
}
