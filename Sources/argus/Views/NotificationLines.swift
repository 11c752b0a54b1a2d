import ArgusKit

/// The output of `push listen`: a line for each notification, flushed at once.
final class NotificationLines {
    private let printer: Printer<PushNotification>?
    private let context: Context
    private let terminal: Terminal
    private let zone: TimeZoneRules
    private var day: Substring = ""

    /// - Throws: `Failure` 2 for JSON, since a stream has no end, or an unknown field.
    init(in context: Context) throws(Failure) {
        self.context = context
        terminal = context.terminal
        zone = try context.displayZone()
        switch try context.format() {
        case .table where context.globals.fields == nil: printer = nil
        case .json:
            throw Failure(
                .usage, "--format json: a stream of notifications has no end", hint: "use ndjson")
        default: printer = try context.printer(of: NotificationView.fields, .list)
        }
    }

    /// Prints a notification, and flushes it.
    func write(_ notification: PushNotification) throws(Failure) {
        try context.system.streams.statusLine.hidden { () throws(Failure) in
            guard let printer else { return try context.write(line(for: notification) + "\n") }
            try printer.write(notification)
            try printer.endPage()
        }
    }

    func finish() throws(Failure) { try printer?.finish() }

    /// The line for people, cut to the terminal: `20:15:03  Front Door: Person Detected  A person …`.
    private func line(for notification: PushNotification) -> String {
        let time = (notification.timestamp ?? notification.receivedAt).displayText(in: zone)
        var (start, heading) = (time.prefix(19), "")
        // A terminal has the date above the lines of a day, a file in each line.
        if terminal.isOutputTerminal {
            if time.prefix(10) != day { heading = terminal.style.dim("\(time.prefix(10))") + "\n" }
            (day, start) = (time.prefix(10), time.dropFirst(11).prefix(8))
        }
        let title = Sanitizer.visible(notification.title ?? "-")
        let text = Sanitizer.visible(notification.body ?? "")
        let used = start.count + DisplayWidth.of(title) + 4
        let rest =
            terminal.isOutputTerminal
            ? DisplayWidth.truncate(
                text, to: max(10, context.system.streams.statusLine.width - used)) : text
        let color = notification.smartDetectionType.flatMap { TextColor(eventType: $0) }
        return "\(heading)\(start)  \(terminal.style.paint(title, color))  \(rest)"
    }
}
