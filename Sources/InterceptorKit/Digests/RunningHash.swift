/// A hash of bytes that come piece by piece.
///
/// Never allocates, but where a ``HashProvider`` does. A value: a copy goes on by itself, so that what
/// many messages begin with is hashed once.
public struct RunningHash: Sendable {
    private enum Function: Sendable {
        case md5(BlockHash<MD5State>)
        case sha1(BlockHash<SHA1State>)
        case sha256(BlockHash<SHA256State>)
        case sha512(BlockHash<SHA512State>)
        case provided
    }

    /// The function.
    public let algorithm: HashAlgorithm
    private var function: Function
    // Apart, so that it is changed in its place and never copied for that.
    private var provided: (any HashState)?

    /// Creates a hash of nothing.
    /// - Parameters:
    ///   - algorithm: The function.
    ///   - provider: Who computes it. Defaults to this library.
    public init(_ algorithm: HashAlgorithm, by provider: HashProvider = .builtIn) {
        self.algorithm = algorithm
        provided = provider.state(for: algorithm)
        guard provided == nil else {
            function = .provided
            return
        }
        function =
            switch algorithm.function {
            case .md5: .md5(BlockHash(.md5))
            case .sha1: .sha1(BlockHash(.sha1))
            case .sha224: .sha256(BlockHash(.sha224))
            case .sha256: .sha256(BlockHash(.sha256))
            case .sha384: .sha512(BlockHash(.sha384))
            case .sha512: .sha512(BlockHash(.sha512))
            case .sha512_256: .sha512(BlockHash(.sha512_256))
            }
    }

    /// Adds bytes.
    @inlinable
    public mutating func update(_ bytes: some Sequence<UInt8>) {
        let isDone: Void? = bytes.withContiguousStorageIfAvailable { buffer in
            unsafe update(UnsafeRawBufferPointer(buffer))
        }
        if isDone != nil { return }
        unsafe Array(bytes).withUnsafeBytes { buffer in unsafe update(buffer) }
    }

    @usableFromInline
    mutating func update(_ bytes: UnsafeRawBufferPointer) {
        switch function {
        case .md5(var hash):
            unsafe hash.update(bytes)
            function = .md5(hash)
        case .sha1(var hash):
            unsafe hash.update(bytes)
            function = .sha1(hash)
        case .sha256(var hash):
            unsafe hash.update(bytes)
            function = .sha256(hash)
        case .sha512(var hash):
            unsafe hash.update(bytes)
            function = .sha512(hash)
        case .provided:
            unsafe provided?.update(bytes)
        }
    }

    /// The digest of all bytes added.
    public consuming func finalize() -> HashAlgorithm.Digest {
        let function = function
        let provided = provided
        return unsafe HashAlgorithm.Digest(count: algorithm.digestSize) { digest in
            switch function {
            case .md5(var hash): unsafe hash.finalize(into: digest)
            case .sha1(var hash): unsafe hash.finalize(into: digest)
            case .sha256(var hash): unsafe hash.finalize(into: digest)
            case .sha512(var hash): unsafe hash.finalize(into: digest)
            case .provided:
                unsafe provided?.finish(
                    into: UnsafeMutableRawBufferPointer(rebasing: digest[..<algorithm.digestSize])
                )
            }
        }
    }
}
