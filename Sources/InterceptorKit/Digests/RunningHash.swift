/// A hash of bytes that come piece by piece.
///
/// Never allocates. A value: a copy goes on by itself, so that what many messages begin with is hashed
/// once.
public struct RunningHash: Sendable {
    private enum Function: Sendable {
        case md5(BlockHash<MD5State>)
        case sha1(BlockHash<SHA1State>)
        case sha256(BlockHash<SHA256State>)
        case sha512(BlockHash<SHA512State>)
    }

    /// The function.
    public let algorithm: HashAlgorithm
    private var function: Function

    /// Creates a hash of nothing.
    public init(_ algorithm: HashAlgorithm) {
        self.algorithm = algorithm
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
        }
    }

    /// The digest of all bytes added.
    public consuming func finalize() -> HashAlgorithm.Digest {
        let function = function
        return unsafe HashAlgorithm.Digest(count: algorithm.digestSize) { digest in
            switch function {
            case .md5(var hash): unsafe hash.finalize(into: digest)
            case .sha1(var hash): unsafe hash.finalize(into: digest)
            case .sha256(var hash): unsafe hash.finalize(into: digest)
            case .sha512(var hash): unsafe hash.finalize(into: digest)
            }
        }
    }
}
