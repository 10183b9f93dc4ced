import InterceptorKit

/// XXH64 (Collet, xxHash fast digest algorithm, version 0.1.1): a 64-bit checksum of several bytes per cycle.
///
/// It detects accidents: flipped bits, torn writes, misplaced bytes. An attacker can produce collisions, so use
/// ``HashAlgorithm`` against attacks.
enum XXHash64 {
    // Safety: a word is read only where at least as many bytes are left.

    private static let prime1: UInt64 = 0x9E37_79B1_85EB_CA87
    private static let prime2: UInt64 = 0xC2B2_AE3D_27D4_EB4F
    private static let prime3: UInt64 = 0x1656_67B1_9E37_79F9
    private static let prime4: UInt64 = 0x85EB_CA77_C2B2_AE63
    private static let prime5: UInt64 = 0x27D4_EB2F_1656_67C5

    static func sum(_ bytes: some Sequence<UInt8>, seed: UInt64 = 0) -> UInt64 {
        let found = bytes.withContiguousStorageIfAvailable { buffer in
            unsafe Self.sum(of: UnsafeRawBufferPointer(buffer), seed: seed)
        }
        if let found { return found }
        return unsafe Array(bytes).withUnsafeBytes { buffer in
            unsafe Self.sum(of: buffer, seed: seed)
        }
    }

    static func sum(of bytes: UnsafeRawBufferPointer, seed: UInt64) -> UInt64 {
        let count = bytes.count
        var offset = 0
        var hash: UInt64
        if count >= 32 {
            var lanes = (
                seed &+ prime1 &+ prime2, seed &+ prime2, seed, seed &- prime1
            )
            while offset &+ 32 <= count {
                unsafe lanes.0 = round(lanes.0, word(bytes, offset))
                unsafe lanes.1 = round(lanes.1, word(bytes, offset &+ 8))
                unsafe lanes.2 = round(lanes.2, word(bytes, offset &+ 16))
                unsafe lanes.3 = round(lanes.3, word(bytes, offset &+ 24))
                offset &+= 32
            }
            hash = rotated(lanes.0, 1) &+ rotated(lanes.1, 7)
            hash = hash &+ rotated(lanes.2, 12) &+ rotated(lanes.3, 18)
            hash = merged(hash, lanes.0)
            hash = merged(hash, lanes.1)
            hash = merged(hash, lanes.2)
            hash = merged(hash, lanes.3)
        } else {
            hash = seed &+ prime5
        }
        hash = hash &+ UInt64(count)
        while offset &+ 8 <= count {
            hash = unsafe rotated(hash ^ round(0, word(bytes, offset)), 27) &* prime1 &+ prime4
            offset &+= 8
        }
        if offset &+ 4 <= count {
            let half = unsafe bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self)
            hash = rotated(hash ^ UInt64(UInt32(littleEndian: half)) &* prime1, 23)
            hash = hash &* prime2 &+ prime3
            offset &+= 4
        }
        while offset < count {
            hash = unsafe rotated(hash ^ UInt64(bytes[offset]) &* prime5, 11) &* prime1
            offset &+= 1
        }
        hash = (hash ^ hash >> 33) &* prime2
        hash = (hash ^ hash >> 29) &* prime3
        return hash ^ hash >> 32
    }

    @inline(__always)
    private static func word(_ bytes: UnsafeRawBufferPointer, _ offset: Int) -> UInt64 {
        unsafe UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
    }

    @inline(__always)
    private static func round(_ lane: UInt64, _ word: UInt64) -> UInt64 {
        rotated(lane &+ word &* prime2, 31) &* prime1
    }

    @inline(__always)
    private static func merged(_ hash: UInt64, _ lane: UInt64) -> UInt64 {
        (hash ^ round(0, lane)) &* prime1 &+ prime4
    }

    @inline(__always)
    private static func rotated(_ word: UInt64, _ count: UInt64) -> UInt64 {
        word &<< count | word &>> (64 &- count)
    }
}
