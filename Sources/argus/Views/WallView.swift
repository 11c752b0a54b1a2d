import ArgusCore
import ArgusKit

/// The wall of cameras as a terminal shows it: captions are text, pictures are in a grid.
struct WallView {
    private let screen: PictureScreen
    private let style: Style
    private let zone: TimeZoneRules
    /// The columns that the user wants; nil for those with the largest pictures.
    private let chosenColumns: Int?

    init(
        on screen: PictureScreen, columns: Int?, _ style: Style, in zone: TimeZoneRules
    ) {
        (self.screen, chosenColumns, self.style, self.zone) = (screen, columns, style, zone)
    }

    /// The number of tiles in a line, and the cells of a picture.
    struct Grid: Equatable {
        var across: Int
        var columns: Int
        var rows: Int
    }

    /// Lays out a number of pictures of 16 to 9 on a terminal: as large as fits.
    func grid(of count: Int, width: Int, height: Int) -> Grid {
        let choices = chosenColumns.map { [min($0, max(1, count))] } ?? Array(1...max(1, count))
        let sample = Picture(width: 16, height: 9, .init(0, 0, 0))
        let grids = choices.map { across -> (grid: Grid, area: Int) in
            let lines = max(1, (count + across - 1) / across)
            let columns = max(1, (width + 1) / across - 1)
            // Two lines are left to the cursor, and each row of tiles has a caption.
            let rows = max(1, (height - 2) / lines - 1)
            let size = screen.terminal.size(of: sample, in: columns, rows)
            let tile = min(columns, max(size.columns, Self.leastCaption))
            return (Grid(across: across, columns: tile, rows: size.rows), size.columns * size.rows)
        }
        let best = grids.max { $0.area < $1.area }
        return best?.grid ?? Grid(across: 1, columns: width, rows: 1)
    }

    /// The cells of a caption that has room.
    private static let leastCaption = 30

    /// What draws the tiles from the cursor on, which is left below them.
    func drawing(of tiles: [PictureTile], _ grid: Grid) -> [UInt8] {
        var output: [UInt8] = []
        for start in stride(from: 0, to: tiles.count, by: grid.across) {
            let row = tiles[start..<min(start + grid.across, tiles.count)].enumerated().map {
                (tile: $1, column: $0 * (grid.columns + 1) + 1)
            }
            let captions = row.map { caption(of: $0.tile, grid.columns) }
            output += Array((captions.joined(separator: " ") + "\n").utf8)
            let places = row.compactMap { tile, column -> PictureTerminal.Place? in
                tile.picture.map { ($0, column) }
            }
            output += screen.terminal.block(places, each: grid.columns, grid.rows)
            let texts = row.compactMap { tile, column in
                tile.picture == nil ? text(in: tile, grid, at: column) : nil
            }
            output += Array(texts.joined().utf8)
        }
        return output
    }

    /// `● Front Door  22:00:05`.
    private func caption(of tile: PictureTile, _ width: Int) -> String {
        let time = tile.time.map { String($0.displayText(in: zone).dropFirst(11)) }
        let word = tile.picture == nil ? nil : tile.state.word
        let room = max(0, width - 2)
        let whole = Sanitizer.visible(tile.name)
        var end = [word, time].compactMap(\.self).joined(separator: " ")
        // In a narrow tile the name counts for more.
        let isNarrow = room < Self.leastCaption && DisplayWidth.of(whole + " " + end) > room
        end = isNarrow ? "" : DisplayWidth.truncate(end, to: room / 2)
        let nameRoom = max(0, room - DisplayWidth.of(end) - (end.isEmpty ? 0 : 1))
        let name = DisplayWidth.truncate(whole, to: nameRoom)
        let dot = style.paint("●", tile.state.textColor)
        let text = style.bold(name.padded(to: nameRoom)) + (end.isEmpty ? "" : " ")
        return dot + " " + text + style.dim(end)
    }

    /// What writes the reason into the place of a picture that is missing, above the cursor.
    private func text(in tile: PictureTile, _ grid: Grid, at column: Int) -> String {
        let words = [tile.state.word, tile.reason].compactMap(\.self).map(Sanitizer.visible)
        let lines = words.flatMap { DisplayWidth.lines(of: $0, width: grid.columns) }
        let shown = lines.prefix(grid.rows).enumerated().map { number, line in
            let text = DisplayWidth.truncate(line, to: grid.columns)
            return "\u{1B}[\(column)G" + (number == 0 ? text : style.dim(text)) + "\u{1B}[B"
        }
        return "\u{1B}7\u{1B}[\(grid.rows)A" + shown.joined() + "\u{1B}8"
    }
}

extension PictureTile.State {
    fileprivate var textColor: TextColor {
        switch self {
        case .online: .green
        case .frozen, .late: .yellow
        case .offline, .failed: .red
        case .disabled: .dim
        }
    }
}
