/// The state that a hash function of the Merkle-Damgård kind changes with each block.
protocol CompressionState: Sendable {
    /// Room for one block, inline, so that hashing by this library never allocates.
    associatedtype Block: BlockStorage

    /// The words as a vector, which may end in zeros.
    associatedtype Words: SIMD where Words.Scalar: FixedWidthInteger

    /// The number of words that count.
    static var wordCount: Int { get }

    /// Whether words and lengths are written with their most significant byte first.
    static var isBigEndian: Bool { get }

    var words: Words { get set }

    /// Changes the state by one block.
    mutating func compress(block: UnsafeRawPointer)
}

extension CompressionState {
    // Safety: callers give whole blocks, of which each is read within its bounds, and room for all words.

    /// The size of a word in bytes.
    static var wordSize: Int { MemoryLayout<Words.Scalar>.size }

    /// Changes the state by whole blocks.
    mutating func compress(_ blocks: UnsafeRawBufferPointer) {
        guard let start = blocks.baseAddress else { return }
        var offset = 0
        while offset < blocks.count {
            unsafe compress(block: start + offset)
            offset &+= Block.size
        }
    }

    /// Writes all words, in the byte order of the function.
    func write(to bytes: UnsafeMutableRawBufferPointer) {
        let words = words
        for index in 0..<Self.wordCount {
            let word = Self.isBigEndian ? words[index].bigEndian : words[index].littleEndian
            unsafe bytes.storeBytes(
                of: word,
                toByteOffset: index &* Self.wordSize,
                as: Words.Scalar.self
            )
        }
    }
}

/// The bytes of a block.
protocol BlockStorage: Sendable {
    /// The size of a block in bytes.
    static var size: Int { get }
    /// A block of zeros.
    init()
}

/// A block of MD5, SHA-1 and SHA-256.
///
/// It has vectors of 16 bytes, because optimised code damages the heap where asynchronous code holds or returns a value
/// of greater alignment (Swift 6.3.1).
struct Block64: BlockStorage {
    static var size: Int { 64 }
    private var first = SIMD16<UInt8>()
    private var second = SIMD16<UInt8>()
    private var third = SIMD16<UInt8>()
    private var fourth = SIMD16<UInt8>()

    /// The byte at an index, of which the last six bits count.
    subscript(index: Int) -> UInt8 {
        switch index &>> 4 & 3 {
        case 0: first[index & 15]
        case 1: second[index & 15]
        case 2: third[index & 15]
        default: fourth[index & 15]
        }
    }
}

extension Block64: Hashable {}

/// A block of SHA-512.
struct Block128: BlockStorage {
    static var size: Int { 128 }
    private var first = Block64()
    private var second = Block64()
}
