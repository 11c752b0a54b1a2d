package import ArgusCore

/// The pictures of a digest, as many as a page or a mail may hold.
package struct DigestImages: Sendable {
    /// The most bytes of one picture.
    package static let mostBytes = 512 << 10
    /// The most bytes of all pictures.
    package static let mostBytesOfAll = 6 << 20

    /// A picture, or why it is missing.
    package struct Image: Sendable, Equatable {
        package var picture: Digest.Picture
        package var bytes: [UInt8] = []
        /// Nil without a picture.
        package var kind: ImageKind?
        /// Why there is no picture, as the end of a sentence.
        package var reason: String?
    }

    /// In order of time.
    package private(set) var all: [Image] = []
    private var size = 0

    package init() {}

    /// Adds a picture; what is neither a whole JPEG nor a whole PNG is missing.
    package mutating func add(_ bytes: [UInt8], of picture: Digest.Picture) {
        guard bytes.count <= Self.mostBytes, size + bytes.count <= Self.mostBytesOfAll else {
            return miss(picture, "it is too large")
        }
        do throws(ImageKind.Fault) {
            let kind = try ImageKind.ofComplete(bytes)
            size += bytes.count
            all.append(Image(picture: picture, bytes: bytes, kind: kind))
        } catch {
            miss(picture, "it \(error)")
        }
    }

    /// Adds an event whose picture is missing.
    package mutating func miss(_ picture: Digest.Picture, _ reason: String) {
        all.append(Image(picture: picture, reason: reason))
    }
}
