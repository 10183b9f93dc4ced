/// Who computes hashes: this library, or a package that uses the processor's own instructions.
///
/// A value to hand to what hashes, as in `SignInterceptor(signer, hashing: .swiftCrypto)` with the module
/// `InterceptorKitCrypto`. Digests are the same whoever computes them.
public struct HashProvider: Sendable {
    private let start: (@Sendable (HashAlgorithm) -> (any HashState)?)?

    /// The functions written in Swift here, which need no other package.
    public static let builtIn = HashProvider(start: nil)

    /// Creates a provider.
    /// - Parameter start: Begins a hash of nothing; `nil` leaves an algorithm to this library.
    public init(_ start: @escaping @Sendable (HashAlgorithm) -> (any HashState)?) {
        self.init(start: start)
    }

    private init(start: (@Sendable (HashAlgorithm) -> (any HashState)?)?) {
        self.start = start
    }

    /// Whether it is this library.
    var isBuiltIn: Bool { start == nil }

    func state(for algorithm: HashAlgorithm) -> (any HashState)? { start?(algorithm) }
}

/// A hash on its way, by a function from elsewhere. A value: a copy goes on by itself.
public protocol HashState: Sendable {
    /// Adds bytes.
    mutating func update(_ bytes: UnsafeRawBufferPointer)

    /// Writes the digest of all bytes added.
    /// - Parameter digest: As many bytes as the algorithm's digests have.
    func finish(into digest: UnsafeMutableRawBufferPointer)
}
