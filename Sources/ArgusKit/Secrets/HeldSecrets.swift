internal import Synchronization

/// The secrets that this process has held so far, for the mask of its output.
///
/// This is the one list that belongs to the process instead of a value: a secret that is known
/// anywhere must be masked everywhere, and a caller that had to pass the list along could forget to.
package enum HeldSecrets {
    private struct State {
        var values: Set<[UInt8]> = []
        /// Those that the mask does not look for yet: most runs write less than they read.
        var new: [[UInt8]] = []
        var mask = SecretMask([])
    }

    private static let state = Mutex(State())

    /// Longer values are documents that contain secrets, which are held one by one.
    private static let longest = 4096

    /// Remembers a secret until the process ends.
    package static func hold(_ value: some SecretValue) {
        let bytes = value.secretBytes
        guard SecretMask.canFind(bytes), bytes.count <= longest else { return }
        state.withLock {
            if $0.values.insert(bytes).inserted { $0.new.append(bytes) }
        }
    }

    /// What finds all of them.
    package static var mask: SecretMask {
        state.withLock { state in
            for secret in state.new { state.mask.add(secret) }
            state.new = []
            return state.mask
        }
    }
}

extension String {
    /// The text without the secrets that this process holds, for what is shortened or kept.
    package var masked: String {
        String(decoding: HeldSecrets.mask.masking(Array(utf8)), as: UTF8.self)
    }
}
