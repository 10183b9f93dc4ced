/// A hash of bytes that arrive in chunks.
///
/// It is a value: a copy continues separately, so the common beginning of many messages is hashed once.
///
/// The system hashes all chunks if the first one is long. Otherwise nothing is allocated.
public struct RunningHash: Sendable {
    // Safety: pointers are used within the call that gives them, and a digest's room is that of the longest.

    private enum Function: Sendable {
        case md5(BlockHash<MD5State>)
        case sha1(BlockHash<SHA1State>)
        case sha256(BlockHash<SHA256State>)
        case sha512(BlockHash<SHA512State>)
    }

    /// The hash function.
    public let algorithm: HashAlgorithm
    private var function: Function
    private var system: SystemHash?
    private var isEmpty = true

    /// The shortest first chunk, in bytes, that is left to the system. libcrypto is faster from the first block, but
    /// below this it saves less than a microsecond, and opening it takes 2.5 ms, which a program that hashes short
    /// texts is spared (Benchmarks/README.md).
    static var systemMinimum: Int { 256 }

    /// Creates a hash without any bytes yet.
    /// - Parameter algorithm: The hash function.
    public init(_ algorithm: HashAlgorithm) {
        self.algorithm = algorithm
        function =
            switch algorithm.function {
            case .md5: .md5(BlockHash(.md5))
            case .sha1: .sha1(BlockHash(.sha1))
            case .sha256: .sha256(BlockHash(.sha256))
            case .sha384: .sha512(BlockHash(.sha384))
            case .sha512: .sha512(BlockHash(.sha512))
            case .sha512_256: .sha512(BlockHash(.sha512_256))
            }
    }

    /// Leaves all bytes to the system if it can hash them and none were added yet.
    mutating func useSystemHash() { if isEmpty { system = SystemHash(algorithm) } }

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
        if system == nil, bytes.count >= Self.systemMinimum { useSystemHash() }
        isEmpty = isEmpty && bytes.count == 0
        if system != nil {
            unsafe system?.update(bytes)
            return
        }
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

    /// Returns the digest of all added bytes.
    public consuming func finalize() -> HashAlgorithm.Digest {
        var hash = consume self
        return unsafe HashAlgorithm.Digest(count: hash.algorithm.digestSize) { digest in
            unsafe hash.finalize(into: digest)
        }
    }

    private mutating func finalize(into digest: UnsafeMutableRawBufferPointer) {
        if system != nil {
            unsafe system?.finalize(into: digest)
            return
        }
        switch function {
        case .md5(var hash): unsafe hash.finalize(into: digest)
        case .sha1(var hash): unsafe hash.finalize(into: digest)
        case .sha256(var hash): unsafe hash.finalize(into: digest)
        case .sha512(var hash): unsafe hash.finalize(into: digest)
        }
    }
}
