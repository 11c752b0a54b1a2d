package import Testing

extension Trait where Self == TimeLimitTrait {
    /// Ends and names a test that waits for something that never comes.
    ///
    /// Swift Testing begins all tests together, so that the time of each is that of the whole run, which
    /// takes many minutes on a busy machine.
    package static var endsHang: Self { .timeLimit(.minutes(30)) }
}
