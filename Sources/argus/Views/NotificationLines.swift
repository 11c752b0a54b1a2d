import ArgusCore
import ArgusPush

/// The output of `push listen`: a line for each notification, written out at once.
///
/// A reader that has stopped keeps no thread, since the end of the subscription needs one.
final class NotificationLines {
    private let printer: Printer<PushNotification>?
    private let context: Context
    private var form: LineForm

    /// The pause between two looks at a reader that has stopped.
    private static let pause = Duration.milliseconds(100)
    /// The time that such a reader has once a stop was requested.
    private static let lastTime = Duration.seconds(2)

    init(in context: Context) throws(Failure) {
        self.context = context
        form = try LineForm(in: context)
        printer = try LineForm.printer(
            of: NotificationView.fields, called: "notifications", in: context)
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

    /// The line for people: `20:15:03  Front Door: Person Detected  A person …`.
    private func line(for notification: PushNotification) -> String {
        let (heading, time) = form.start(at: notification.timestamp ?? notification.receivedAt)
        let title = Sanitizer.visible(notification.title ?? "-")
        let used = time.count + DisplayWidth.of(title) + 4
        let color = notification.smartDetectionType.flatMap { TextColor(eventType: $0) }
        let painted = form.terminal.style.paint(title, color)
        return "\(heading)\(time)  \(painted)  \(form.end(notification.body, after: used))"
    }
}
