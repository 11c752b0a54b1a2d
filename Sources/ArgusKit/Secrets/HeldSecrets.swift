internal import Synchronization

/// The secrets that this process has held so far, for the mask of its output.
///
/// The one global list of argus: a secret known anywhere must be masked everywhere, and a caller
/// that had to pass the list along could forget to.
package enum HeldSecrets {
    private struct State {
        var values: Set<[UInt8]> = []
        /// Secrets that the mask does not know yet, added at the next write: most runs write less
        /// than they read.
        var new: [[UInt8]] = []
        var mask = SecretMask([])
    }

    private static let state = Mutex(State())

    /// The longest value in bytes; longer ones are documents whose secrets are held one by one.
    private static let longest = 4096

    /// Remembers a secret until the process ends.
    package static func hold(_ value: some SecretValue) {
        let bytes = value.secretBytes
        guard SecretMask.canFind(bytes), bytes.count <= longest else { return }
        state.withLock {
            if $0.values.insert(bytes).inserted { $0.new.append(bytes) }
        }
    }

    /// The mask for all secrets held so far.
    package static var mask: SecretMask {
        state.withLock { state in
            for secret in state.new { state.mask.add(secret) }
            state.new = []
            return state.mask
        }
    }
}

extension String {
    /// The text with held secrets masked, for text that is shortened or stored.
    package var masked: String {
        String(decoding: HeldSecrets.mask.masking(Array(utf8)), as: UTF8.self)
    }
}
