import ArgusCore
import Glibc

/// A difference between a case file and its manifest.
package struct CaseFinding: Sendable, Equatable {
    /// What is wrong with a file.
    package enum Problem: String, Sendable {
        case changed, missing, added, doubled, unsound, unsigned, signature

        /// The problem for people.
        package var words: String {
            switch self {
            case .changed: "it is not what was exported"
            case .missing: "it is missing"
            case .added: "it was added later"
            case .doubled: "it is there twice"
            case .unsound: "other programs may see other files in it"
            case .unsigned: "there is no signature"
            case .signature: "the signature does not hold"
            }
        }
    }

    /// The name of the file in the case file, as it is stored; empty for the case file itself.
    package var path: String
    package var problem: Problem

    package init(_ path: String, _ problem: Problem) {
        (self.path, self.problem) = (path, problem)
    }
}

/// The comparison of a case file with its manifest; the signature is checked by `CaseSignature`.
package struct CaseVerification: Sendable {
    /// The number of files that the manifest lists.
    package let fileCount: Int
    /// The differences, in the order of the manifest and then of the case file.
    package let findings: [CaseFinding]
    /// What a signature signs.
    package let manifest: [UInt8]
    /// The signature; nil without one.
    package let signature: [UInt8]?

    private static let longestManifest = 256 << 20
    private static let longestSignature = 64 << 10

    /// Compares a case file, at a path, with its manifest.
    /// - Throws: `CaseFileError`.
    package init(path: String) throws(CaseFileError) {
        let file = try rethrowing(
            SharedDescriptor(try OwnedDescriptor(path, O_RDONLY | O_NONBLOCK, for: .read)),
            as: CaseFileError.file)
        let status = try rethrowing(
            try file.descriptor.status(of: path), as: CaseFileError.file)
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw .file(FileSystemError(.read, path, .notRegularFile))
        }
        let size = Int(status.st_size)
        try self.init(
            ZipReader(ZipSource(reading: file, named: path, size: size)),
            isConsistent: ZipReader.isConsistent(
                ZipSource(reading: file, named: path, size: size)))
    }

    init(_ zip: ZipReader, isConsistent: Bool = true) throws(CaseFileError) {
        var findings: [CaseFinding] = []
        let entries = Dictionary(zip.entries.map { ($0.name, $0) }) { $1 }
        guard let listing = entries[CasePath.manifest] else {
            throw .notCaseFile("it has no \(CasePath.manifest)")
        }
        manifest = try zip.bytes(of: listing, limit: Self.longestManifest)
        let expected = try CaseManifest(reading: manifest)
        var listed = Set(CasePath.unlisted)
        for file in expected.entries {
            listed.insert(file.path)
            guard let entry = entries[file.path] else {
                findings.append(CaseFinding(file.path, .missing))
                continue
            }
            if try !zip.has(entry, of: file.size, file.sha256) {
                findings.append(CaseFinding(file.path, .changed))
            }
        }
        let sums = expected.sums(manifest: manifest)
        if let entry = entries[CasePath.sums] {
            if try !zip.has(entry, of: sums.count, Checksum.sha256(sums)) {
                findings.append(CaseFinding(CasePath.sums, .changed))
            }
        } else {
            findings.append(CaseFinding(CasePath.sums, .missing))
        }
        var seen: Set<String> = []
        for entry in zip.entries {
            if !seen.insert(entry.name).inserted {
                findings.append(CaseFinding(entry.name, .doubled))
            } else if !listed.contains(entry.name) {
                findings.append(CaseFinding(entry.name, .added))
            }
        }
        signature =
            try entries[CasePath.signature].map { (entry) throws(CaseFileError) in
                try zip.bytes(of: entry, limit: Self.longestSignature)
            }
        fileCount = expected.entries.count
        // A file that is there twice is named, and makes it inconsistent.
        if !zip.isPlain || !isConsistent, findings.isEmpty {
            findings.append(CaseFinding("", .unsound))
        }
        self.findings = findings
    }
}
