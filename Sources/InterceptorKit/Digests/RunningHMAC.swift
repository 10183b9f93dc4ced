/// An HMAC (RFC 2104, FIPS 198-1) of bytes that arrive in chunks.
///
/// It keeps the hashes of the two padded keys, not the key. It is a value: make it once with the key and copy it for
/// each message, which saves half the work for a short message. A long message in memory is authenticated faster by
/// ``HashAlgorithm/authenticationCode(of:key:)``, where the system hashes it.
public struct RunningHMAC: Sendable {
    // Safety: pointers are used within the call that gives them; the block has room for the key, which is hashed
    // first if it is longer.

    private var inner: RunningHash
    private var outer: RunningHash

    /// Creates an HMAC without any bytes yet.
    /// - Parameters:
    ///   - algorithm: The hash function. MD5 and SHA-1 have no known break in an HMAC (RFC 6151, RFC 6194),
    ///     but new schemes use SHA-256.
    ///   - key: A key of any length.
    public init(_ algorithm: HashAlgorithm, key: some Sequence<UInt8>) {
        self.init(algorithm, key: key, isLong: false)
    }

    /// - Parameter isLong: Whether the system is to hash the message, for which it has to begin with the key.
    init(_ algorithm: HashAlgorithm, key: some Sequence<UInt8>, isLong: Bool) {
        let empty = RunningHash(algorithm)
        inner = empty
        outer = empty
        if isLong { inner.useSystemHash() }
        let isDone: Void? = key.withContiguousStorageIfAvailable { buffer in
            unsafe begin(UnsafeRawBufferPointer(buffer), empty)
        }
        if isDone != nil { return }
        unsafe Array(key).withUnsafeBytes { buffer in unsafe begin(buffer, empty) }
    }

    /// Adds the two padded keys, a block each.
    private mutating func begin(_ key: UnsafeRawBufferPointer, _ empty: RunningHash) {
        let size = inner.algorithm.blockSize
        unsafe withUnsafeTemporaryAllocation(of: UInt8.self, capacity: size) { block in
            unsafe block.initialize(repeating: 0)
            if key.count > size {
                var hash = empty
                unsafe hash.update(key)
                for (index, byte) in hash.finalize().enumerated() { unsafe block[index] = byte }
            } else {
                unsafe UnsafeMutableRawBufferPointer(block).copyMemory(from: key)
            }
            for index in 0..<size { unsafe block[index] ^= 0x36 }
            unsafe inner.update(UnsafeRawBufferPointer(block))
            for index in 0..<size { unsafe block[index] ^= 0x36 ^ 0x5c }
            unsafe outer.update(UnsafeRawBufferPointer(block))
        }
    }

    /// Adds bytes of the message.
    @inlinable
    public mutating func update(_ bytes: some Sequence<UInt8>) {
        let isDone: Void? = bytes.withContiguousStorageIfAvailable { buffer in
            unsafe update(UnsafeRawBufferPointer(buffer))
        }
        if isDone != nil { return }
        unsafe Array(bytes).withUnsafeBytes { buffer in unsafe update(buffer) }
    }

    @usableFromInline
    mutating func update(_ bytes: UnsafeRawBufferPointer) { unsafe inner.update(bytes) }

    /// Returns the authentication code of all added bytes.
    public consuming func finalize() -> HashAlgorithm.Digest {
        outer.update(inner.finalize())
        return outer.finalize()
    }
}
