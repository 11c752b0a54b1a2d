import ArgusKit

/// The output of `push listen`: a line for each notification, written out at once.
///
/// A reader that has stopped keeps no thread, since the end of the subscription needs one.
final class NotificationLines {
    private let printer: Printer<PushNotification>?
    private let context: Context
    private let terminal: Terminal
    private let zone: TimeZoneRules
    private var day: Substring = ""

    /// The pause between two looks at a reader that has stopped.
    private static let pause = Duration.milliseconds(100)
    /// The time that such a reader has once a stop was requested.
    private static let lastTime = Duration.seconds(2)

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
        context.system.streams.out.setPatient()
    }

    /// Prints a notification, as soon as the reader takes it.
    ///
    /// - Throws: `Failure`; `.closedPipe` for a reader that does not take it before the end.
    func write(
        _ notification: PushNotification, isEnding: () async -> Bool
    ) async throws(Failure) {
        if let printer {
            try printer.write(notification)
            try printer.endPage()
        } else {
            try context.write(line(for: notification) + "\n")
        }
        let (out, monotonic) = (context.system.streams.out, context.system.monotonic)
        var end: Duration?
        while true {
            var isWritten = false
            try context.system.streams.statusLine.hidden { () throws(Failure) in
                isWritten = try attempt(out.writeAvailable())
            }
            if isWritten { return }
            if end == nil, await isEnding() { end = monotonic() + Self.lastTime }
            if let end, end <= monotonic() { throw .closedPipe }
            await context.sleep(Self.pause)
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
