/// The eight words of SHA-256 (FIPS 180-4 section 6.2).
struct SHA256State: CompressionState {
    // Safety: a block is read at its sixteen words, the table at its 64 constants.

    typealias Block = Block64

    static var wordCount: Int { 8 }
    static var isBigEndian: Bool { true }

    private var low: SIMD4<UInt32>
    private var high: SIMD4<UInt32>

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

    static let sha256 = SHA256State(
        words: SIMD8(
            0x6a09_e667,
            0xbb67_ae85,
            0x3c6e_f372,
            0xa54f_f53a,
            0x510e_527f,
            0x9b05_688c,
            0x1f83_d9ab,
            0x5be0_cd19
        )
    )

    mutating func compress(block: UnsafeRawPointer) {
        unsafe SHA256State.constants.withUnsafeBufferPointer { table in
            guard let constants = table.baseAddress else { return }
            unsafe compress(block, constants)
        }
    }

    private mutating func compress(_ block: UnsafeRawPointer, _ constants: UnsafePointer<UInt32>) {
        func word(_ index: Int) -> UInt32 {
            unsafe UInt32(
                bigEndian: block.loadUnaligned(fromByteOffset: index &* 4, as: UInt32.self)
            )
        }
        // The last sixteen words of the schedule, in variables, which stay in registers or close to them.
        var (w0, w1, w2, w3) = (word(0), word(1), word(2), word(3))
        var (w4, w5, w6, w7) = (word(4), word(5), word(6), word(7))
        var (w8, w9, w10, w11) = (word(8), word(9), word(10), word(11))
        var (w12, w13, w14, w15) = (word(12), word(13), word(14), word(15))
        var (a, b, c, d) = (words[0], words[1], words[2], words[3])
        var (e, f, g, h) = (words[4], words[5], words[6], words[7])
        var offset = 0
        func constant(_ index: Int) -> UInt32 { unsafe constants[offset &+ index] }
        var remaining = 4
        while true {
            // The words change roles instead of places.
            round(a, b, c, &d, e, f, g, &h, w0 &+ constant(0))
            round(h, a, b, &c, d, e, f, &g, w1 &+ constant(1))
            round(g, h, a, &b, c, d, e, &f, w2 &+ constant(2))
            round(f, g, h, &a, b, c, d, &e, w3 &+ constant(3))
            round(e, f, g, &h, a, b, c, &d, w4 &+ constant(4))
            round(d, e, f, &g, h, a, b, &c, w5 &+ constant(5))
            round(c, d, e, &f, g, h, a, &b, w6 &+ constant(6))
            round(b, c, d, &e, f, g, h, &a, w7 &+ constant(7))
            round(a, b, c, &d, e, f, g, &h, w8 &+ constant(8))
            round(h, a, b, &c, d, e, f, &g, w9 &+ constant(9))
            round(g, h, a, &b, c, d, e, &f, w10 &+ constant(10))
            round(f, g, h, &a, b, c, d, &e, w11 &+ constant(11))
            round(e, f, g, &h, a, b, c, &d, w12 &+ constant(12))
            round(d, e, f, &g, h, a, b, &c, w13 &+ constant(13))
            round(c, d, e, &f, g, h, a, &b, w14 &+ constant(14))
            round(b, c, d, &e, f, g, h, &a, w15 &+ constant(15))
            remaining &-= 1
            if remaining == 0 { break }
            offset &+= 16
            extend(&w0, w1, w9, w14)
            extend(&w1, w2, w10, w15)
            extend(&w2, w3, w11, w0)
            extend(&w3, w4, w12, w1)
            extend(&w4, w5, w13, w2)
            extend(&w5, w6, w14, w3)
            extend(&w6, w7, w15, w4)
            extend(&w7, w8, w0, w5)
            extend(&w8, w9, w1, w6)
            extend(&w9, w10, w2, w7)
            extend(&w10, w11, w3, w8)
            extend(&w11, w12, w4, w9)
            extend(&w12, w13, w5, w10)
            extend(&w13, w14, w6, w11)
            extend(&w14, w15, w7, w12)
            extend(&w15, w0, w8, w13)
        }
        words &+= SIMD8(a, b, c, d, e, f, g, h)
    }

    @inline(__always)
    private func round(
        _ a: UInt32,
        _ b: UInt32,
        _ c: UInt32,
        _ d: inout UInt32,
        _ e: UInt32,
        _ f: UInt32,
        _ g: UInt32,
        _ h: inout UInt32,
        _ input: UInt32
    ) {
        // Rotations by 6, 11 and 25, and by 2, 13 and 22, of one word each: a rotation in place saves a copy.
        let sumE = ((e.rotated(14) ^ e).rotated(5) ^ e).rotated(6)
        let first = h &+ input &+ (g ^ (e & (f ^ g))) &+ sumE
        let sumA = ((a.rotated(9) ^ a).rotated(11) ^ a).rotated(2)
        d &+= first
        h = first &+ sumA &+ (b ^ ((a ^ b) & (b ^ c)))
    }

    @inline(__always)
    private func extend(_ w: inout UInt32, _ early: UInt32, _ middle: UInt32, _ late: UInt32) {
        let mixedEarly = early.rotated(7) ^ early.rotated(18) ^ (early &>> 3)
        let mixedLate = late.rotated(17) ^ late.rotated(19) ^ (late &>> 10)
        w = w &+ mixedEarly &+ middle &+ mixedLate
    }

    private static let constants: [UInt32] = [
        0x428a_2f98, 0x7137_4491, 0xb5c0_fbcf, 0xe9b5_dba5, 0x3956_c25b, 0x59f1_11f1, 0x923f_82a4,
        0xab1c_5ed5, 0xd807_aa98, 0x1283_5b01, 0x2431_85be, 0x550c_7dc3, 0x72be_5d74, 0x80de_b1fe,
        0x9bdc_06a7, 0xc19b_f174, 0xe49b_69c1, 0xefbe_4786, 0x0fc1_9dc6, 0x240c_a1cc, 0x2de9_2c6f,
        0x4a74_84aa, 0x5cb0_a9dc, 0x76f9_88da, 0x983e_5152, 0xa831_c66d, 0xb003_27c8, 0xbf59_7fc7,
        0xc6e0_0bf3, 0xd5a7_9147, 0x06ca_6351, 0x1429_2967, 0x27b7_0a85, 0x2e1b_2138, 0x4d2c_6dfc,
        0x5338_0d13, 0x650a_7354, 0x766a_0abb, 0x81c2_c92e, 0x9272_2c85, 0xa2bf_e8a1, 0xa81a_664b,
        0xc24b_8b70, 0xc76c_51a3, 0xd192_e819, 0xd699_0624, 0xf40e_3585, 0x106a_a070, 0x19a4_c116,
        0x1e37_6c08, 0x2748_774c, 0x34b0_bcb5, 0x391c_0cb3, 0x4ed8_aa4a, 0x5b9c_ca4f, 0x682e_6ff3,
        0x748f_82ee, 0x78a5_636f, 0x84c8_7814, 0x8cc7_0208, 0x90be_fffa, 0xa450_6ceb, 0xbef9_a3f7,
        0xc671_78f2,
    ]
}

extension UInt32 {
    /// Returns the bits rotated to the right.
    @inline(__always)
    func rotated(_ count: UInt32) -> UInt32 { self &>> count | self &<< (32 &- count) }
}
