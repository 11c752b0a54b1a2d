package import ArgusCore

/// What a wall shows of one camera, and a film of one moment.
package struct PictureTile: Sendable {
    /// The state of the camera.
    package enum State: Sendable, Equatable {
        case online
        /// It sent exactly the same picture as last time.
        case frozen
        /// Its picture is older than a minute.
        case late
        case offline
        case disabled
        /// Its picture did not come, for another reason.
        case failed

        /// The word for people; nil for a camera that is as it should be.
        package var word: String? {
            switch self {
            case .online: nil
            case .frozen: "same picture"
            case .late: "old picture"
            case .offline: "offline"
            case .disabled: "disabled"
            case .failed: "no picture"
            }
        }

        /// The colour of its dot.
        fileprivate var color: Picture.Color {
            switch self {
            case .online: .init(63, 185, 80)
            case .frozen, .late: .init(210, 153, 34)
            case .offline, .failed: .init(248, 81, 73)
            case .disabled: .init(110, 118, 129)
            }
        }
    }

    /// The id of the camera, which replaces a name that the font does not have.
    package var id: String
    package var name: String
    /// When the picture was taken.
    package var time: Timestamp?
    package var state: State
    /// The picture; nil without one.
    package var picture: Picture?
    /// The server's reason why there is none.
    package var reason: String?

    package init(
        id: String, name: String, time: Timestamp? = nil, state: State,
        picture: Picture? = nil, reason: String? = nil
    ) {
        (self.id, self.name, self.time, self.state) = (id, name, time, state)
        (self.picture, self.reason) = (picture, reason)
    }

    /// The name in letters of the font, else the beginning of the id.
    var drawableName: String {
        PictureFont.drawable(name) ?? PictureFont.drawable(String(id.prefix(8))) ?? "?"
    }
}

// Drawing.
extension PictureTile {
    private static let (background, bar) = (Picture.Color(30, 34, 40), Picture.Color(13, 17, 23))
    private static let (bright, dim) = (Picture.Color(230, 237, 243), Picture.Color(139, 148, 158))
    private static let margin = 8

    /// The height of the bar below the picture.
    package static let barHeight = PictureFont.height + 9

    /// The picture in a box of `width` times `height` pixels, and below it a bar with the state, the
    /// name and the time.
    package func drawn(_ width: Int, _ height: Int, in zone: TimeZoneRules) -> Picture {
        var canvas = Picture(width: width, height: height + Self.barHeight, Self.bar)
        if let picture {
            let fitted = picture.fitted(to: width, height)
            canvas.draw(fitted, x: (width - fitted.width) / 2, y: (height - fitted.height) / 2)
        } else {
            canvas.fill(x: 0, y: 0, width: width, height: height, Self.background)
            drawReason(on: &canvas, height)
        }
        drawBar(on: &canvas, at: height, in: zone)
        return canvas
    }

    private func drawReason(on canvas: inout Picture, _ height: Int) {
        let columns = (canvas.width - 2 * Self.margin) / PictureFont.width
        let reason = reason.flatMap(PictureFont.drawable).map {
            DisplayWidth.lines(of: $0, width: columns)
        }
        let lines = [state.word ?? "no picture"] + (reason ?? []).prefix(5)
        let step = PictureFont.height + 4
        var y = (height - lines.count * step) / 2
        for (number, line) in lines.enumerated() {
            let text = PictureFont.truncate(line, to: columns * PictureFont.width)
            canvas.write(
                text, x: (canvas.width - text.count * PictureFont.width) / 2, y: y,
                number == 0 ? Self.bright : Self.dim)
            y += step
        }
    }

    private func drawBar(on canvas: inout Picture, at top: Int, in zone: TimeZoneRules) {
        let y = top + 5
        canvas.fill(x: Self.margin, y: y + 3, width: 7, height: 7, state.color)
        let start = Self.margin + 14
        var end = canvas.width - Self.margin
        if let time = time?.displayText(in: zone) {
            // A narrow tile has no room for the date beside a name.
            let text = String(canvas.width < 320 ? time.dropFirst(11) : time.prefix(19))
            end -= text.count * PictureFont.width
            canvas.write(text, x: end, y: y, Self.dim)
            end -= Self.margin
        }
        let name = PictureFont.truncate(drawableName, to: end - start)
        canvas.write(name, x: start, y: y, Self.bright)
        let after = start + (name.count + 1) * PictureFont.width
        guard picture != nil, let word = state.word,
            after + word.count * PictureFont.width <= end
        else { return }
        canvas.write(word, x: after, y: y, state.color)
    }
}

/// A contact sheet: tiles in rows, each picture 16 to 9.
package struct ContactSheet: Sendable {
    private static let gap = 6
    /// The width of a whole sheet, in which tiles are neither narrower nor wider than these.
    private static let (width, narrowest, widest) = (1920, 240, 640)

    private let columns: Int
    /// The size of a picture in a tile.
    package let tileWidth: Int
    package var tileHeight: Int { tileWidth * 9 / 16 }

    /// Lays out a number of tiles, in about as many columns as rows unless `columns` says otherwise.
    package init(of count: Int, columns: Int? = nil) {
        let square = (1...max(1, count)).first { $0 * $0 >= count } ?? 1
        self.columns = max(1, min(columns ?? square, count))
        tileWidth = min(max(Self.width / self.columns, Self.narrowest), Self.widest) / 16 * 16
    }

    /// Draws the tiles, of which there may be fewer than were laid out.
    package func drawn(_ tiles: [PictureTile], in zone: TimeZoneRules) -> Picture {
        let (width, height) = (
            tileWidth + Self.gap, tileHeight + PictureTile.barHeight + Self.gap
        )
        let rows = (tiles.count + columns - 1) / columns
        var sheet = Picture(
            width: columns * width + Self.gap, height: max(1, rows) * height + Self.gap,
            Picture.Color(0, 0, 0))
        for (number, tile) in tiles.enumerated() {
            sheet.draw(
                tile.drawn(tileWidth, tileHeight, in: zone),
                x: Self.gap + number % columns * width, y: Self.gap + number / columns * height)
        }
        return sheet
    }
}
