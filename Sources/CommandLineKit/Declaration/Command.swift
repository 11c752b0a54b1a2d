/// One verb of the tree; conforming types are caseless enums and all state is in `Options`.
///
/// The tool refines this protocol once: it defines `Invocation` and makes one of `run`.
package protocol Command: SendableMetatype {
    associatedtype Options: Sendable
    /// The work that the tool starts after parsing, such as an async closure over its context.
    associatedtype Invocation: Sendable

    static var about: CommandInfo { get }
    /// The options of an empty command line.
    static var defaults: Options { get }
    static var flags: [Flag<Options>] { get }
    /// Operands, in order.
    static var arguments: [Argument<Options>] { get }
    /// Checks the rules across options.
    ///
    /// - Throws: `UsageError`; the parser adds the command's path.
    static func validate(_ options: Options) throws(UsageError)
    /// Binds checked options to the command's work without starting it.
    static func invocation(_ options: Options) -> Invocation
}

extension Command {
    package static var flags: [Flag<Options>] { [] }
    package static var arguments: [Argument<Options>] { [] }
    package static func validate(_ options: Options) throws(UsageError) {}
}

/// The options of a command that has none.
package struct NoOptions: Sendable, Equatable {
    package init() {}
}

extension Command where Options == NoOptions {
    package static var defaults: NoOptions { NoOptions() }
}
