import CommandLineKit

/// What runs when a command line has been understood.
struct Invocation: Sendable {
    /// Whether the command is likely to send a request, so that libcurl is worth loading early.
    let asksServer: Bool
    private let work: @Sendable (Context) async throws(Failure) -> Void

    init(
        asksServer: Bool, _ work: @escaping @Sendable (Context) async throws(Failure) -> Void
    ) {
        self.asksServer = asksServer
        self.work = work
    }

    func callAsFunction(_ context: Context) async throws(Failure) {
        try await work(context)
    }
}

/// A verb of argus: a table of options, and `run`.
protocol ArgusCommand: Command where Invocation == argus.Invocation {
    /// Whether it is likely to send a request; true unless the command says otherwise.
    static var asksServer: Bool { get }
    /// Does the work: takes a service from the context, makes one call, hands the value to a view.
    static func run(_ options: Options, in context: Context) async throws(Failure)
}

extension ArgusCommand {
    static var asksServer: Bool { true }

    static func invocation(_ options: Options) -> Invocation {
        Invocation(asksServer: asksServer) { context async throws(Failure) in
            try await run(options, in: context)
        }
    }
}
