import ArgusCore
import ArgusTransport
import CommandLineKit

/// A field of `argus api`, such as `name=script`; a file is read only when the command runs.
struct APIField: ArgumentValue, Equatable {
    var name: String
    var value: RawFields.Value
    /// The file that contains the value; `-` is stdin.
    var file: String?
    fileprivate var text: String

    init(argument: String) throws(ValueError) {
        guard let equals = argument.firstIndex(of: "="), equals != argument.startIndex else {
            throw ValueError("is not of the form KEY=VALUE")
        }
        name = String(argument[..<equals])
        text = String(argument[argument.index(after: equals)...])
        value = RawFields.Value(typed: text)
        file = text.hasPrefix("@") ? String(text.dropFirst()) : nil
    }
}

/// A field whose value is literal text.
struct APITextField: ArgumentValue, Equatable {
    var field: APIField

    init(argument: String) throws(ValueError) {
        field = try APIField(argument: argument)
        (field.value, field.file) = (.text(field.text), nil)
    }
}

/// A header field of `argus api`, such as `Accept: text/csv`.
struct APIHeader: ArgumentValue, Equatable {
    /// The fields that argus sets itself, and those that frame a request.
    private static let reserved = [
        "authorization", "cookie", "x-api-key", "proxy-authorization", "host", "content-length",
        "transfer-encoding", "connection", "upgrade", "te", "trailer",
    ]

    var name: String
    var value: String

    var isContentType: Bool { name.lowercased() == "content-type" }

    init(argument: String) throws(ValueError) {
        guard let colon = argument.firstIndex(of: ":"), colon != argument.startIndex else {
            throw ValueError("is not of the form NAME: VALUE")
        }
        name = String(argument[..<colon])
        value = String(argument[argument.index(after: colon)...].drop { $0 == " " })
        guard !Self.reserved.contains(name.lowercased()) else {
            throw ValueError("is a field that argus sets itself", part: name)
        }
    }
}

extension APICommand.Options {
    /// The size limit of a request's file, in bytes.
    private static let sizeLimit = 64 << 20

    func readFields() throws(Failure) -> RawFields {
        var read = RawFields()
        for field in fields {
            var value = field.value
            if let file = field.file {
                value = .text(String(decoding: try Self.bytes(of: file), as: UTF8.self))
            }
            do {
                try read.add(field.name, value)
            } catch {
                throw Failure(.usage, "the field '\(error.name)' does not fit those before it")
            }
        }
        return read
    }

    static func bytes(of file: String) throws(Failure) -> [UInt8] {
        try attempt(
            file == "-"
                ? FileContents.standardInput(limit: sizeLimit)
                : FileContents(file, trust: .named, limit: sizeLimit).bytes
        ) { Failure(.usage, "\($0)") }
    }
}
