package import ArgusTransport
package import Testing

extension Trait where Self == TimeLimitTrait {
    /// Ends and names a test that waits for something that never comes.
    ///
    /// Swift Testing begins all tests together, so that the time of each is that of the whole run, which
    /// takes many minutes on a busy machine.
    package static var hangLimit: Self { .timeLimit(.minutes(30)) }
}

extension Deadlines {
    /// Deadlines that no test reaches, for one whose tasks wait for each other on a busy machine.
    package static var unreachable: Deadlines {
        var deadlines = Deadlines()
        let day = Duration.seconds(86400)
        (deadlines.connect, deadlines.firstByte, deadlines.idle) = (day, day, day)
        (deadlines.total, deadlines.pooled) = (nil, day)
        return deadlines
    }
}
