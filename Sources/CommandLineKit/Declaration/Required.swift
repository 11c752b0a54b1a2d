/// A value that the command line must give: the parser runs no command without it.
///
/// Only required operands and options can write to it (`sets: \.$name`), so a command reads a plain
/// value and needs no case for a missing one.
@propertyWrapper package struct Required<Value: Sendable>: Sendable {
    private var given: Value?

    /// Makes a missing value.
    package init() {}

    /// Makes a given value, as the parser stores it.
    package init(wrappedValue: Value) {
        given = wrappedValue
    }

    package var wrappedValue: Value {
        get {
            guard let given else {
                preconditionFailure("the parser runs no command whose required words are missing")
            }
            return given
        }
        set { given = newValue }
    }

    package var projectedValue: Required {
        get { self }
        set { self = newValue }
    }
}

extension Required: Equatable where Value: Equatable {}
