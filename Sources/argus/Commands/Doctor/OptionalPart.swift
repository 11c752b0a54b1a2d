import ArgusCore
import ArgusKit

/// A library or a program that only a few commands need.
struct OptionalPart {
    /// The name of its check.
    static let check = "optional"

    /// The library or program.
    private let name: String
    /// What argus does with it.
    private let use: String
    /// The reason why it cannot be used; nil if it can.
    private let problem: (Environment) -> String?

    private static var all: [OptionalPart] {
        [
            OptionalPart(name: "libchafa", use: "pictures in the terminal") { _ in
                reason { () throws(PicturesUnavailable) in try PictureTerminal.expectLibrary() }
            },
            OptionalPart(name: "libturbojpeg", use: "walls, films and the check of pictures") { _ in
                reason { () throws(PicturesUnavailable) in _ = try JPEGLibrary() }
            },
            OptionalPart(name: "ffmpeg", use: "films") { environment in
                reason { () throws(FilmError) in _ = try Film.program(in: environment) }
            },
            OptionalPart(name: "libzip", use: "case files") { _ in
                reason { () throws(CaseFileError) in try CaseFileWriter.expectLibrary() }
            },
            OptionalPart(name: "ssh-keygen", use: "signatures of case files") { environment in
                reason { () throws(CaseFileError) in _ = try CaseSignature(environment) }
            },
        ]
    }

    /// A finding for each; one that is absent is a hint, not a fault.
    static func findings(in environment: Environment) -> [Finding] {
        all.map { part in
            guard let problem = part.problem(environment) else {
                return .ok(check, "\(part.use): \(part.name) is there")
            }
            return .ok(check, "\(part.use): not possible", problem)
        }
    }

    private static func reason<Cause: CustomStringConvertible>(
        _ use: () throws(Cause) -> Void
    ) -> String? {
        do throws(Cause) {
            try use()
            return nil
        } catch {
            return error.description
        }
    }
}
