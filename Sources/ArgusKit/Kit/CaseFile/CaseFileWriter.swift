package import ArgusCore
package import ArgusEvents

/// Packs a case file: the same contents give the same bytes.
package struct CaseFileWriter {
    /// Makes the signature of a manifest; nil for none.
    package typealias Sign = ([UInt8]) throws(CaseFileError) -> [UInt8]?

    private let file: CaseFile
    private let fields: [Field<Event>]
    private let folder: String
    private let sign: Sign

    /// Prepares a case file, which is packed in `folder`; `fields` are those of `events.json`.
    package init(
        _ file: CaseFile, fields: [Field<Event>], in folder: String,
        signing sign: @escaping Sign = { _ throws(CaseFileError) in nil }
    ) {
        (self.file, self.fields, self.folder, self.sign) = (file, fields, folder, sign)
    }

    /// Fails if case files cannot be made on this machine.
    /// - Throws: `CaseFileError.libraryMissing`.
    package static func expectLibrary() throws(CaseFileError) { _ = try ZipLibrary.shared.get() }

    /// Packs the file, reads it back and compares it with its manifest.
    /// - Throws: `CaseFileError`.
    package func pack() throws(CaseFileError) -> SpoolFile {
        let packed = try rethrowing(try SpoolFile(in: folder), as: CaseFileError.file)
        try pack(into: packed)
        let check = try CaseVerification(ZipReader(ZipSource(reading: packed)))
        if let finding = check.findings.first {
            throw .zip("\(finding.path) was not written as it is: \(finding.problem.words)")
        }
        return packed
    }

    private func pack(into packed: SpoolFile) throws(CaseFileError) {
        let names = CasePath.names(of: file.events.map(\.event))
        let paths = zip(file.events, names).map { event, name in
            event.files.map { CasePath.path(of: $0, named: name) }
        }
        let zip = try ZipWriter(into: packed)
        var manifest = CaseManifest(entries: [])
        func add(_ path: String, _ bytes: [UInt8]) throws(CaseFileError) {
            manifest.entries.append(
                .init(path: path, size: bytes.count, sha256: Checksum.sha256(bytes)))
            try zip.add(path, ZipSource(bytes))
        }
        try add(CasePath.page, CasePage(file, paths: paths).utf8)
        try add(CasePath.events, events)
        if let note = file.note { try add(CasePath.note, Array(note.utf8)) }
        for isObject in [true, false] {
            for (event, paths) in Swift.zip(file.events, paths) {
                for (item, path) in Swift.zip(event.files, paths)
                where (item.kind == .object) == isObject {
                    manifest.entries.append(
                        .init(
                            path: path, size: item.content.count, sha256: item.content.sha256,
                            item: item, eventID: event.event.id))
                    try zip.add(path, ZipSource(item.content))
                }
            }
        }
        let text = manifest.json(of: file)
        try zip.add(CasePath.manifest, ZipSource(text))
        if let signature = try sign(text) {
            try zip.add(CasePath.signature, ZipSource(signature))
        }
        try zip.add(CasePath.sums, ZipSource(manifest.sums(manifest: text)))
        try zip.finish()
    }

    /// The events as argus prints them.
    private var events: [UInt8] {
        var writer = JSONWriter(layout: .pretty)
        writer.array { writer in
            for event in file.events.map(\.event) {
                writer.object { writer in
                    for field in fields { writer.member(field.name, field.value(event)) }
                }
            }
        }
        return writer.bytes + [UInt8(ascii: "\n")]
    }
}
