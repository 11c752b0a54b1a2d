package import ArgusCore
import Glibc

/// A terminal that shows pictures, by libchafa: in a graphics protocol, or of coloured characters.
package struct PictureTerminal: Sendable {
    /// A picture's place in a block: the column of its left edge, counted from 1.
    package typealias Place = (picture: Picture, column: Int)

    /// The manner in which the terminal shows pictures.
    package enum Manner: String, Sendable {
        case kitty, iterm2, sixels, symbols
    }

    /// The size of a cell in pixels where the terminal does not report it.
    private static let usualCell = (width: 10, height: 20)

    package let manner: Manner
    private let chafa: ChafaLibrary
    private let variables: [String]
    private let hasSigns: Bool
    private let colors: ChafaLibrary.ColorMode
    private let cell: (width: Int, height: Int)

    /// Finds out what the terminal shows: by the variables that chafa knows, else by its own answer
    /// about sixels, for which `graphics` asks.
    /// - Throws: `PicturesUnavailable` if libchafa is absent.
    package init(
        _ terminal: Terminal, environment: [String: String],
        graphics: (_ asksForSixels: Bool) -> TerminalGraphics
    ) throws(PicturesUnavailable) {
        let chafa = try ChafaLibrary()
        self.chafa = chafa
        variables = environment.map { "\($0.key)=\($0.value)" }
        hasSigns = terminal.hasSigns
        // tmux and screen swallow the protocols of the terminal around them, whose variables they pass on.
        let isInside =
            ["TMUX", "STY"].contains { environment[$0]?.isEmpty == false }
            || ["screen", "tmux"].contains { environment["TERM"]?.hasPrefix($0) == true }
        let found = Self.withInfo(of: variables, chafa) {
            info -> (Manner?, ChafaLibrary.ColorMode) in
            func has(_ sequence: ChafaLibrary.Sequence) -> Bool {
                chafa.has(info, sequence.rawValue) != 0
            }
            let manner: Manner? =
                isInside
                ? nil
                : has(.kittyImage)
                    ? .kitty : has(.iterm2Image) ? .iterm2 : has(.beginSixels) ? .sixels : nil
            if has(.direct) { return (manner, .direct) }
            if has(.indexed256) { return (manner, .indexed256) }
            return (manner, has(.indexed16) ? .indexed16 : .none)
        }
        let hasColors = terminal.style.isOn
        let graphics = graphics(hasColors && found?.0 == nil)
        cell = (
            graphics.cellWidth ?? Self.usualCell.width, graphics.cellHeight ?? Self.usualCell.height
        )
        manner = hasColors ? found?.0 ?? (graphics.hasSixels ? .sixels : .symbols) : .symbols
        colors = !hasColors ? .none : manner == .symbols ? found?.1 ?? .none : .direct
    }

    /// - Throws: `PicturesUnavailable` if libchafa is absent.
    package static func expectLibrary() throws(PicturesUnavailable) { _ = try ChafaLibrary() }

    /// The cells of a picture at the largest size that fits a box of them.
    package func size(
        of picture: Picture, in columns: Int, _ rows: Int
    ) -> (columns: Int, rows: Int) {
        let (width, height) = (columns * cell.width, rows * cell.height)
        if picture.width * height >= picture.height * width {
            let pixels = picture.height * width / picture.width
            return (columns, min(rows, max(1, (pixels + cell.height / 2) / cell.height)))
        }
        let pixels = picture.width * height / picture.height
        return (min(columns, max(1, (pixels + cell.width / 2) / cell.width)), rows)
    }

    /// The pixels of a box of cells, as far as the terminal shows them.
    package func pixels(of columns: Int, _ rows: Int) -> (width: Int, height: Int) {
        // A character stands for 8 × 8 pixels.
        manner == .symbols
            ? (columns * 8, rows * 8) : (columns * cell.width, rows * cell.height)
    }

    /// What shows a picture at the left edge; the cursor goes to the line below.
    package func block(_ picture: Picture, within columns: Int, _ rows: Int) -> [UInt8] {
        let rows = size(of: picture, in: columns, rows).rows
        return block([(picture, 1)], each: columns, rows)
    }

    /// What shows pictures side by side, each of at most `columns` times `rows` cells; the cursor goes to
    /// the line below.
    ///
    /// Terminals leave the cursor at different places after a picture, so it is put back.
    package func block(_ places: [Place], each columns: Int, _ rows: Int) -> [UInt8] {
        // One row more, since the last row of sixels may not fill its cells.
        var text = String(repeating: "\n", count: rows + 1) + "\u{1B}[\(rows + 1)A\r\u{1B}7"
        var output = Array(text.utf8)
        for place in places {
            text = "\u{1B}8" + (place.column > 1 ? "\u{1B}[\(place.column)G" : "")
            output += Array(text.utf8)
            output += drawing(of: place.picture, in: columns, rows, at: place.column)
        }
        output += Array("\u{1B}8\u{1B}[\(rows)B\r".utf8)
        return output
    }

    /// Removes all pictures of a screen that is drawn anew; those of characters are overwritten.
    package var erasure: String { manner == .kitty ? "\u{1B}_Ga=d,d=A\u{1B}\\" : "" }

    private func drawing(
        of picture: Picture, in columns: Int, _ rows: Int, at column: Int
    ) -> [UInt8] {
        let size = size(of: picture, in: columns, rows)
        let bytes = Self.withInfo(of: variables, chafa) { render(picture, size, for: $0) } ?? []
        guard manner == .symbols else { return bytes }
        // The next row begins below this one.
        let next = Array("\u{1B}[B\u{1B}[\(column)G".utf8)
        let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        let end = colors == .none ? "" : "\u{1B}[0m"
        return Array(lines.joined(separator: next)) + Array(end.utf8)
    }

    private func render(
        _ picture: Picture, _ size: (columns: Int, rows: Int), for info: ChafaLibrary.Object
    ) -> [UInt8] {
        if manner == .sixels, chafa.has(info, ChafaLibrary.Sequence.beginSixels.rawValue) == 0 {
            _ = chafa.set(
                info, ChafaLibrary.Sequence.beginSixels.rawValue, "\u{1B}P%1;%2;%3q", nil)
            _ = chafa.set(info, ChafaLibrary.Sequence.endSixels.rawValue, "\u{1B}\\", nil)
        }
        if let database = chafa.terminals(), let fallback = chafa.fallback(database) {
            chafa.supplement(info, fallback)
            chafa.releaseTerminal(fallback)
        }
        guard let configuration = chafa.makeConfiguration() else { return [] }
        defer { chafa.releaseConfiguration(configuration) }
        chafa.setSize(configuration, Int32(size.columns), Int32(size.rows))
        chafa.setCellSize(configuration, Int32(cell.width), Int32(cell.height))
        chafa.setColors(configuration, colors.rawValue)
        chafa.setPixels(configuration, manner.pixelMode.rawValue)
        if !hasSigns, let symbols = chafa.makeSymbols() {
            chafa.addSymbols(symbols, ChafaLibrary.ascii)
            chafa.setSymbols(configuration, symbols)
            chafa.releaseSymbols(symbols)
        }
        guard let canvas = chafa.makeCanvas(configuration) else { return [] }
        defer { chafa.releaseCanvas(canvas) }
        chafa.draw(
            canvas, ChafaLibrary.rgb, picture.pixels, Int32(picture.width), Int32(picture.height),
            Int32(picture.width * 3))
        guard let text = chafa.print(canvas, info) else { return [] }
        defer { _ = chafa.releaseText(text, 1) }
        // The members `str` and `len` of GLib's GString.
        let start = text.load(as: UnsafePointer<UInt8>?.self)
        let count = text.load(fromByteOffset: 8, as: Int.self)
        return Array(UnsafeBufferPointer(start: start, count: count))
    }

    /// Runs work with what chafa knows of the terminal of these variables.
    private static func withInfo<Value>(
        of variables: [String], _ chafa: ChafaLibrary, _ work: (ChafaLibrary.Object) -> Value
    ) -> Value? {
        var words: [UnsafeMutablePointer<CChar>?] = variables.map { strdup($0) } + [nil]
        defer { for word in words { free(word) } }
        guard let database = chafa.terminals(), let info = chafa.detect(database, &words) else {
            return nil
        }
        defer { chafa.releaseTerminal(info) }
        return work(info)
    }
}

extension PictureTerminal.Manner {
    fileprivate var pixelMode: ChafaLibrary.PixelMode {
        switch self {
        case .kitty: .kitty
        case .iterm2: .iterm2
        case .sixels: .sixels
        case .symbols: .symbols
        }
    }
}
