import Glibc
import Synchronization

/// The settings of a terminal whose echo is off, for the signal handler to put back.
enum SavedTerminal {
    /// The terminal's descriptor, -1 while nothing has to be restored.
    private static let descriptor = Atomic<Int32>(-1)
    // Written before `descriptor` is released, read after it was acquired; only the one prompt
    // that holds `SecretInput.oneAtATime` writes it.
    private nonisolated(unsafe) static var settings = termios()

    /// Makes the storage, so that a handler never has to.
    static func prepare() {
        _ = descriptor.load(ordering: .relaxed)
        withUnsafePointer(to: &settings) { _ in }
    }

    /// Notes what to put back on which terminal.
    static func save(_ saved: termios, of terminal: Int32) {
        settings = saved
        descriptor.store(terminal, ordering: .releasing)
    }

    /// Puts back what was saved, once; safe in a signal handler.
    static func restore() {
        let terminal = descriptor.exchange(-1, ordering: .acquiringAndReleasing)
        guard terminal >= 0 else { return }
        tcsetattr(terminal, TCSAFLUSH, &settings)
    }
}
