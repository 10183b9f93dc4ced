/// A hash of bytes that arrive in chunks.
///
/// It never allocates, unless CryptoKit does. It is a value: a copy goes on separately, so the common
/// beginning of many messages is hashed once.
///
/// With libcrypto, the system hashes each long chunk; with CryptoKit, it hashes all chunks if the first one
/// is long.
public struct RunningHash: Sendable {
    // Safety: pointers are used within the call that gives them, and a digest's room is that of the longest.

    private enum Function: Sendable {
        case md5(BlockHash<MD5State>)
        case sha1(BlockHash<SHA1State>)
        case sha256(BlockHash<SHA256State>)
        case sha512(BlockHash<SHA512State>)
        #if canImport(CryptoKit)
        case system(CryptoKitHash)
        #endif
    }

    /// The hash function.
    public let algorithm: HashAlgorithm
    private var function: Function
    #if canImport(CryptoKit)
    private let systemMinimum: Int
    private var isEmpty = true
    #endif

    /// libcrypto is faster from the first block, but below this it saves less than a microsecond, and
    /// opening it takes 2.5 ms, which a program that hashes short texts is spared (Benchmarks/README.md).
    private static var systemMinimum: Int { 256 }

    /// Creates a hash without any bytes yet.
    /// - Parameter algorithm: The hash function.
    public init(_ algorithm: HashAlgorithm) { self.init(algorithm, systemMinimum: nil) }

    /// - Parameter systemMinimum: The fewest bytes at once that are left to the system; `nil` for where that
    ///   is worth it.
    init(_ algorithm: HashAlgorithm, systemMinimum minimum: Int?) {
        self.algorithm = algorithm
        let systemMinimum = minimum ?? Self.systemMinimum
        #if canImport(CryptoKit)
        self.systemMinimum = systemMinimum
        #endif
        function =
            switch algorithm.function {
            case .md5: .md5(BlockHash(.md5, systemMinimum: systemMinimum))
            case .sha1: .sha1(BlockHash(.sha1, systemMinimum: systemMinimum))
            case .sha256: .sha256(BlockHash(.sha256, systemMinimum: systemMinimum))
            case .sha384: .sha512(BlockHash(.sha384, systemMinimum: systemMinimum))
            case .sha512: .sha512(BlockHash(.sha512, systemMinimum: systemMinimum))
            case .sha512_256: .sha512(BlockHash(.sha512_256, systemMinimum: systemMinimum))
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
        #if canImport(CryptoKit)
        if isEmpty, bytes.count >= systemMinimum, let hash = CryptoKitHash(algorithm) {
            function = .system(hash)
        }
        isEmpty = isEmpty && bytes.count == 0
        #endif
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
        #if canImport(CryptoKit)
        case .system(var hash):
            unsafe hash.update(bytes)
            function = .system(hash)
        #endif
        }
    }

    /// Returns the digest of all added bytes.
    public consuming func finalize() -> HashAlgorithm.Digest {
        let function = function
        return unsafe HashAlgorithm.Digest(count: algorithm.digestSize) { digest in
            switch function {
            case .md5(var hash): unsafe hash.finalize(into: digest)
            case .sha1(var hash): unsafe hash.finalize(into: digest)
            case .sha256(var hash): unsafe hash.finalize(into: digest)
            case .sha512(var hash): unsafe hash.finalize(into: digest)
            #if canImport(CryptoKit)
            case .system(let hash): unsafe hash.finalize(into: digest)
            #endif
            }
        }
    }
}
