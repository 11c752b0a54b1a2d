import ArgusCore
import ArgusKit

/// The terminal on which a command with `--show` draws pictures.
struct PictureScreen: Sendable {
    /// The room for a picture.
    enum Size: Sendable {
        /// The width of the terminal, and half of its height.
        case half
        /// A few lines above a line about an event.
        case small
    }

    let terminal: PictureTerminal
    let library: JPEGLibrary
    private let context: Context

    /// - Throws: `Failure` 2 if stdout is no terminal or gets something else than texts for people, 1
    ///   if a library is absent.
    init(in context: Context) throws(Failure) {
        self.context = context
        guard context.collected == nil else {
            throw Failure(.usage, "--show is for one server", hint: "leave out --server all")
        }
        guard try context.isForScreen(), context.globals.fields == nil, !context.globals.isRaw
        else {
            throw Failure(
                .usage, "--show is for people at a terminal",
                hint: "leave it out in pipes and scripts, and beside --format and --fields")
        }
        let environment = context.system.environment
        guard let name = environment["TERM"], name != "dumb" else {
            throw Failure(
                .usage, "--show: the terminal does not show pictures (TERM=dumb)",
                hint: "set TERM to the name of the terminal, such as xterm-256color")
        }
        library = try context.jpegLibrary()
        terminal = try attempt(
            PictureTerminal(
                context.terminal, environment: environment.variables,
                graphics: context.system.graphics)
        ) { .missingLibrary($0, to: "show pictures") }
        context.console.debug("pictures are shown as \(terminal.manner)")
    }

    /// Shows a picture, below a heading of what it shows.
    ///
    /// - Throws: `Failure` 7 for what is no JPEG.
    func show(_ bytes: [UInt8], headed heading: String? = nil, _ size: Size = .half)
        throws(Failure)
    {
        let (columns, rows) = room(size)
        let (width, height) = terminal.pixels(of: columns, rows)
        let picture = try attempt(library.picture(bytes, filling: width, height)) {
            Failure(.serverError, "cannot show the picture: it \($0)")
        }
        let block = terminal.block(picture, within: columns, rows)
        let text = heading.map { context.terminal.style.bold(Sanitizer.visible($0)) + "\n" }
        try context.system.streams.statusLine.hidden { () throws(Failure) in
            try write(Array((text ?? "").utf8) + block)
        }
    }

    /// Writes bytes for the terminal.
    func write(_ bytes: [UInt8]) throws(Failure) {
        try attempt(context.system.streams.out.write(bytes))
        try context.system.streams.flush()
    }

    private func room(_ size: Size) -> (columns: Int, rows: Int) {
        let streams = context.system.streams
        // No terminal has more, and COLUMNS may be anything.
        let (columns, rows) = (
            min(streams.statusLine.width, 500), min(streams.terminal.height, 500)
        )
        switch size {
        case .half: return (columns, max(1, rows / 2))
        case .small: return (min(columns, 40), max(1, min(rows / 4, 9)))
        }
    }
}

extension Failure {
    /// A library is absent that an optional part of argus needs.
    static func missingLibrary(_ error: any Error, to doing: String) -> Failure {
        Failure(.failed, "cannot \(doing): \(error)", reason: "library_missing")
    }
}

extension Context {
    /// - Throws: `Failure` 1 if libturbojpeg is absent.
    func jpegLibrary() throws(Failure) -> JPEGLibrary {
        try attempt(JPEGLibrary()) { .missingLibrary($0, to: "read pictures") }
    }

    /// The terminal for pictures; nil without `--show`.
    func pictureScreen(_ isShown: Bool) throws(Failure) -> PictureScreen? {
        isShown ? try PictureScreen(in: self) : nil
    }

    /// The name and the local time of what a picture shows, for people.
    func pictureHeading(_ name: String, at time: Timestamp?) throws(Failure) -> String {
        let zone = try displayZone()
        return [name, time?.displayText(in: zone)].compactMap(\.self).joined(separator: "  ")
    }
}
