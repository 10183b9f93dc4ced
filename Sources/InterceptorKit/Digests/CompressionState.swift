/// What a hash function of the Merkle-Damgård kind turns over with each block.
protocol CompressionState: Sendable {
    /// Room for one block, inline, so that hashing never allocates.
    associatedtype Block: BlockStorage

    /// Whether words and lengths are written with their most significant byte first.
    static var isBigEndian: Bool { get }

    /// Takes in whole blocks.
    mutating func compress(_ blocks: UnsafeRawBufferPointer)

    /// Writes all words, as the function orders their bytes.
    func write(to bytes: UnsafeMutableRawBufferPointer)
}

/// A block's bytes.
protocol BlockStorage: Sendable {
    /// The size of a block in bytes.
    static var size: Int { get }
    /// A block of zeros.
    init()
}

/// A block of MD5, SHA-1 and SHA-256.
struct Block64: BlockStorage {
    static var size: Int { 64 }
    private var bytes = SIMD64<UInt8>()
}

/// A block of SHA-512.
struct Block128: BlockStorage {
    static var size: Int { 128 }
    private var first = SIMD64<UInt8>()
    private var second = SIMD64<UInt8>()
}
