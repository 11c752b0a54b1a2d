package import ArgusCore

/// The reason why there is no film.
package enum FilmError: Error, Hashable, Sendable, CustomStringConvertible {
    case noProgram
    case notStarted(Errno)
    /// ffmpeg failed, with its own words.
    case failed(String)

    package var description: String {
        switch self {
        case .noProgram: "there is no ffmpeg in PATH; install the package 'ffmpeg'"
        case .notStarted(let code): "ffmpeg cannot be started: \(code)"
        case .failed(let words): "ffmpeg failed" + (words.isEmpty ? "" : ": \(words)")
        }
    }
}

/// A film that ffmpeg makes of pictures, all of the size of the first one.
package final class Film: Sendable {
    /// The largest size of a picture in a film.
    private static let (widest, highest) = (1280, 720)

    private let program: FedProgram
    private let width: Int
    private let height: Int
    private let zone: TimeZoneRules

    /// The absolute path of ffmpeg.
    /// - Throws: `FilmError.noProgram`.
    package static func program(in environment: Environment) throws(FilmError) -> String {
        guard let path = ProgramSearch.path(of: "ffmpeg", in: environment) else {
            throw .noProgram
        }
        return path
    }

    /// The box in which a picture of the film is decoded.
    package static var box: (width: Int, height: Int) { (widest, highest) }

    /// Starts ffmpeg, which writes an MP4 with `rate` pictures a second to a descriptor: a file, or a
    /// pipe that takes its bytes in order.
    /// - Throws: `FilmError`.
    package init(
        like first: Picture, rate: Int, to output: Int32, isFile: Bool, by path: String,
        _ environment: Environment, in zone: TimeZoneRules
    ) throws(FilmError) {
        let size =
            first.width <= Self.widest && first.height <= Self.highest
            ? first : first.fitted(to: Self.widest, Self.highest)
        // The colours of a film are those of 2 × 2 pixels.
        width = max(2, size.width / 2 * 2)
        height = max(2, size.height / 2 * 2)
        self.zone = zone
        let lines = height + PictureTile.barHeight
        let input = [
            "-f", "rawvideo", "-pix_fmt", "rgb24", "-video_size", "\(width)x\(lines)",
            "-framerate", "\(rate)", "-i", "pipe:0",
        ]
        // The index goes to the front, for players that begin before the end has come; a pipe gets a film
        // in pieces. The name stands for the file that is open already.
        let end =
            isFile
            ? ["-movflags", "+faststart", "file:/dev/stdout"]
            : ["-movflags", "frag_keyframe+empty_moov+default_base_moof", "pipe:1"]
        program = try rethrowing(
            FedProgram(
                path,
                ["-hide_banner", "-loglevel", "error", "-y"] + input
                    + ["-an", "-pix_fmt", "yuv420p", "-f", "mp4"] + end,
                environment: environment, output: output), as: FilmError.notStarted)
    }

    /// Adds a picture with its name and time.
    /// - Throws: `FilmError.failed` if ffmpeg has ended.
    package func add(_ tile: PictureTile) async throws(FilmError) {
        do throws(Errno) {
            try await program.write(tile.drawn(width, height, in: zone).pixels)
        } catch {
            throw .failed(cause(await program.finish().errors))
        }
    }

    /// Waits until the film is complete.
    /// - Throws: `FilmError.failed`.
    package func finish() async throws(FilmError) {
        let (ending, errors) = await program.finish()
        guard ending == .status(0) else { throw .failed(cause(errors)) }
    }

    private func cause(_ errors: String) -> String {
        // The first line has the cause; those behind it what followed from it.
        errors.split(separator: "\n").first.map(String.init) ?? ""
    }
}
