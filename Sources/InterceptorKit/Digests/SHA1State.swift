/// The five words of SHA-1 (FIPS 180-4 section 6.1).
struct SHA1State: CompressionState {
    // Safety: a block is read at its sixteen words, and the schedule has room for the 80 that are used.

    typealias Block = Block64

    static var wordCount: Int { 5 }
    static var isBigEndian: Bool { true }

    private var low: SIMD4<UInt32>
    private var high: SIMD4<UInt32>

    // The last three words stay zero.
    var words: SIMD8<UInt32> {
        get { SIMD8(lowHalf: low, highHalf: high) }
        set {
            low = newValue.lowHalf
            high = newValue.highHalf
        }
    }

    private init(words: SIMD8<UInt32>) {
        low = words.lowHalf
        high = words.highHalf
    }

    static let sha1 = SHA1State(
        words: SIMD8(0x6745_2301, 0xefcd_ab89, 0x98ba_dcfe, 0x1032_5476, 0xc3d2_e1f0, 0, 0, 0)
    )

    mutating func compress(block: UnsafeRawPointer) {
        unsafe withUnsafeTemporaryAllocation(of: UInt32.self, capacity: 80) { schedule in
            guard let schedule = schedule.baseAddress else { return }
            unsafe fill(schedule, from: block)
            unsafe turn(schedule)
        }
    }

    private func fill(_ schedule: UnsafeMutablePointer<UInt32>, from block: UnsafeRawPointer) {
        var index = 0
        while index < 16 {
            let word = unsafe block.loadUnaligned(fromByteOffset: index &* 4, as: UInt32.self)
            unsafe schedule[index] = UInt32(bigEndian: word)
            index &+= 1
        }
        while index < 80 {
            let mixed = unsafe schedule[index - 3] ^ schedule[index - 8] ^ schedule[index - 14]
            unsafe schedule[index] = (mixed ^ schedule[index - 16]).rotated(31)
            index &+= 1
        }
    }

    private mutating func turn(_ schedule: UnsafeMutablePointer<UInt32>) {
        var (a, b, c, d, e) = (words[0], words[1], words[2], words[3], words[4])
        var offset = 0
        func input(_ index: Int) -> UInt32 { unsafe schedule[offset &+ index] }
        // Five rounds at a time, in which the words change roles instead of places.
        for _ in 0..<4 {
            round(a, &b, &e, choose(b, c, d), 0x5a82_7999 &+ input(0))
            round(e, &a, &d, choose(a, b, c), 0x5a82_7999 &+ input(1))
            round(d, &e, &c, choose(e, a, b), 0x5a82_7999 &+ input(2))
            round(c, &d, &b, choose(d, e, a), 0x5a82_7999 &+ input(3))
            round(b, &c, &a, choose(c, d, e), 0x5a82_7999 &+ input(4))
            offset &+= 5
        }
        for _ in 0..<4 {
            round(a, &b, &e, b ^ c ^ d, 0x6ed9_eba1 &+ input(0))
            round(e, &a, &d, a ^ b ^ c, 0x6ed9_eba1 &+ input(1))
            round(d, &e, &c, e ^ a ^ b, 0x6ed9_eba1 &+ input(2))
            round(c, &d, &b, d ^ e ^ a, 0x6ed9_eba1 &+ input(3))
            round(b, &c, &a, c ^ d ^ e, 0x6ed9_eba1 &+ input(4))
            offset &+= 5
        }
        for _ in 0..<4 {
            round(a, &b, &e, majority(b, c, d), 0x8f1b_bcdc &+ input(0))
            round(e, &a, &d, majority(a, b, c), 0x8f1b_bcdc &+ input(1))
            round(d, &e, &c, majority(e, a, b), 0x8f1b_bcdc &+ input(2))
            round(c, &d, &b, majority(d, e, a), 0x8f1b_bcdc &+ input(3))
            round(b, &c, &a, majority(c, d, e), 0x8f1b_bcdc &+ input(4))
            offset &+= 5
        }
        for _ in 0..<4 {
            round(a, &b, &e, b ^ c ^ d, 0xca62_c1d6 &+ input(0))
            round(e, &a, &d, a ^ b ^ c, 0xca62_c1d6 &+ input(1))
            round(d, &e, &c, e ^ a ^ b, 0xca62_c1d6 &+ input(2))
            round(c, &d, &b, d ^ e ^ a, 0xca62_c1d6 &+ input(3))
            round(b, &c, &a, c ^ d ^ e, 0xca62_c1d6 &+ input(4))
            offset &+= 5
        }
        words &+= SIMD8(a, b, c, d, e, 0, 0, 0)
    }

    @inline(__always)
    private func round(
        _ a: UInt32,
        _ b: inout UInt32,
        _ e: inout UInt32,
        _ mixed: UInt32,
        _ input: UInt32
    ) {
        e = e &+ a.rotated(27) &+ mixed &+ input
        b = b.rotated(2)
    }

    @inline(__always)
    private func choose(_ b: UInt32, _ c: UInt32, _ d: UInt32) -> UInt32 { d ^ (b & (c ^ d)) }

    @inline(__always)
    private func majority(_ b: UInt32, _ c: UInt32, _ d: UInt32) -> UInt32 {
        (b & c) | (d & (b | c))
    }
}
