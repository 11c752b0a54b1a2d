import Glibc

/// A shared library that is loaded when it is first needed, and its functions (dlopen(3), dlsym(3)).
package struct SharedLibrary<Failure: Error> {
    private let name: String
    private let image: UnsafeMutableRawPointer
    private let failure: (_ reason: String) -> Failure

    /// Loads a library, which is never unloaded; `failure` makes the error of a reason.
    ///
    /// The reason names the Debian package that has the library.
    package init(
        _ name: String, of package: String,
        failing failure: @escaping (_ reason: String) -> Failure
    ) throws(Failure) {
        guard let image = dlopen(name, RTLD_LAZY | RTLD_LOCAL) else {
            let reason = dlerror().map { String(cString: $0) } ?? "cannot open \(name)"
            throw failure("\(reason); install the package '\(package)'")
        }
        self.name = name
        self.image = image
        self.failure = { failure("\($0); install the package '\(package)'") }
    }

    /// The address of a function in the library, or in one that it needs.
    /// - Throws: `Failure` if there is none.
    package func symbol(_ symbol: String) throws(Failure) -> UnsafeMutableRawPointer {
        guard let address = dlsym(image, symbol) else { throw failure("\(name) lacks \(symbol)") }
        return address
    }

    /// A function in the library, whose type the caller knows from its header.
    package func function<Signature>(_ name: String) throws(Failure) -> Signature {
        unsafeBitCast(try symbol(name), to: Signature.self)
    }
}
