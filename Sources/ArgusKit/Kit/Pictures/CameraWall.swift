package import ArgusCore
package import ArgusEvents
import ArgusTransport

/// The pictures of all cameras at one moment.
package struct CameraWall: Sendable {
    private static let parallelPictures = 8
    /// The age from which a picture is no picture of now.
    private static let oldAge = Duration.seconds(60)

    private let cameras: CameraService
    private let library: JPEGLibrary
    private let now: @Sendable () -> Timestamp

    package init(
        of cameras: CameraService, _ library: JPEGLibrary, now: @escaping @Sendable () -> Timestamp
    ) {
        (self.cameras, self.library, self.now) = (cameras, library, now)
    }

    /// A tile, and the checksum of its picture.
    private struct Taken: Sendable {
        var tile: PictureTile
        var sha256: String?
    }

    /// Takes a picture with each enabled camera, of at least `width` times `height` pixels if the camera
    /// has them; `finished` is called after each.
    ///
    /// `memory` tells which pictures are those of last time.
    package func tiles(
        of listed: [Camera], filling width: Int, _ height: Int, _ memory: inout SnapshotMemory?,
        finished: @escaping @Sendable () -> Void = {}
    ) async -> [PictureTile] {
        let taken = await listed.mapInParallel(Self.parallelPictures) { camera in
            defer { finished() }
            return await self.take(camera, width, height)
        }
        return taken.map { taken in
            var tile = taken.tile
            if let sha256 = taken.sha256, memory?.isRepeated(tile.id, sha256, at: now()) == true {
                tile.state = .frozen
            }
            return tile
        }
    }

    private func take(_ camera: Camera, _ width: Int, _ height: Int) async -> Taken {
        let name = camera.name ?? camera.id
        guard camera.isEnabled != false else {
            return Taken(tile: PictureTile(id: camera.id, name: name, state: .disabled))
        }
        let snapshot: Snapshot
        do throws(APIError) {
            snapshot = try await cameras.snapshot(of: camera.id, quality: .medium)
        } catch {
            let state: PictureTile.State = camera.isOnline == false ? .offline : .failed
            let reason = error.detail.withoutAddresses
            return Taken(
                tile: PictureTile(id: camera.id, name: name, state: state, reason: reason))
        }
        do throws(UnreadablePicture) {
            let picture = try library.picture(snapshot.bytes, filling: width, height)
            let isOld = snapshot.age.map { $0 > Self.oldAge } ?? false
            return Taken(
                tile: PictureTile(
                    id: camera.id, name: name, time: snapshot.takenAt ?? now(),
                    state: isOld ? .late : .online, picture: picture),
                sha256: Checksum.sha256(snapshot.bytes))
        } catch {
            return Taken(
                tile: PictureTile(
                    id: camera.id, name: name, state: .failed, reason: "its picture \(error)"))
        }
    }
}

extension String {
    /// The text without the words that are URLs: those of cameras often have a password, and a picture
    /// is passed on.
    fileprivate var withoutAddresses: String {
        split(separator: " ").map { $0.contains("://") ? "…" : $0 }.joined(separator: " ")
    }
}
