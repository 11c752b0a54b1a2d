import ArgusCore
import ArgusKit
import CommandLineKit

enum BundleVerify: ArgusCommand {
    struct Options: VerbOptions {
        @Required var path: String
        var allowedSigners: String?
    }

    static let about = CommandInfo(
        name: "verify", summary: "Check that a case file is what was exported",
        effect: .reads,
        description: """
            Compares each file in a case file with its manifest, and names what was changed, removed
            or added. A signature is checked by ssh-keygen(1): that it is one of the manifest, and,
            with \(flag: "allowed-signers"), that the key is one of those that you trust. Without a
            signature this finds accidents: whoever changes a file can make a new manifest.
            """,
        examples: [
            "argus bundle verify case.zip": "Check the files, and whether it is signed",
            "argus bundle verify case.zip --allowed-signers signers": "Check who signed it, too",
        ],
        exitStatuses: [0, 1, 2, ExitStatus(12, "The file is not what was exported or signed")],
        prints: .lists(CaseView.findingFields))

    static let flags: [Flag<Options>] = [
        .file(
            "allowed-signers", sets: \.allowedSigners,
            "Accept only signatures by the keys in FILE",
            details: [
                """
                A line for each key, in the form of ssh-keygen(1): \
                \(code: "anna@example.org ssh-ed25519 AAAA…").
                """
            ])
    ]

    static let arguments: [Argument<Options>] = [
        .required("FILE", sets: \.$path, "The case file").completing(.file)
    ]

    static func run(_ options: Options, in context: Context) async throws(Failure) {
        let printer = try context.printer(of: CaseView.findingFields, .list)
        if let path = options.allowedSigners { try attempt(FileContents.expectReadable(path)) }
        let check = try attempt(CaseVerification(path: options.path)) { error in
            var failure = Failure(cause: error)
            if failure.kind == .gap { failure.message = "'\(options.path)' is \(error)" }
            return failure
        }
        var findings = check.findings
        let words: String
        if let signature = check.signature {
            let tool = try attempt(CaseSignature(context.system.environment))
            let signer = try await attempt(
                awaiting: await tool.signer(
                    of: check.manifest, by: signature,
                    allowed: options.allowedSigners.map(context.absolutePath)))
            if let signer {
                words = "signed by \(signer.name.map { "\($0), " } ?? "")\(signer.key)"
            } else {
                findings.append(CaseFinding(CasePath.signature, .signature))
                words = "the signature does not hold"
            }
        } else {
            words = "not signed"
            if options.allowedSigners != nil {
                findings.append(CaseFinding(CasePath.signature, .unsigned))
            }
        }
        for finding in findings { try printer.write(finding) }
        let files = ListCount(("file", "files")).sentence(for: check.fileCount)
        try printer.finish()
        guard !findings.isEmpty else {
            return context.console.notice("'\(options.path)' has \(files) as exported; \(words)")
        }
        throw Failure(
            .gap,
            findings.count == 1
                ? "'\(options.path)' differs from what was exported"
                : "'\(options.path)' differs from what was exported in \(findings.count) places",
            reason: "bundle_changed")
    }
}

/// The canonical fields of case files.
enum CaseView {
    static let findingFields: [Field<CaseFinding>] = [
        .column(
            "problem",
            "changed, missing, added, doubled, unsound (others may see other files in it), unsigned, "
                + "or signature for one that does not hold"
        ) { $0.problem.rawValue }.colored { _ in .red },
        .column("path", "the file in the case file; null for the case file itself") {
            $0.path.isEmpty ? nil : $0.path
        },
    ]
}
