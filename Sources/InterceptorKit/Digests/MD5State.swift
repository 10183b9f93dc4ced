/// The four words of MD5 (RFC 1321 section 3).
struct MD5State: CompressionState {
    // Safety: a block is read at its sixteen words.

    typealias Block = Block64

    static var wordCount: Int { 4 }
    static var isBigEndian: Bool { false }

    var words: SIMD4<UInt32>

    static let md5 = MD5State(
        words: SIMD4(0x6745_2301, 0xefcd_ab89, 0x98ba_dcfe, 0x1032_5476)
    )

    mutating func compress(block: UnsafeRawPointer) {
        func word(_ index: Int) -> UInt32 {
            unsafe UInt32(
                littleEndian: block.loadUnaligned(fromByteOffset: index &* 4, as: UInt32.self)
            )
        }
        let (w0, w1, w2, w3) = (word(0), word(1), word(2), word(3))
        let (w4, w5, w6, w7) = (word(4), word(5), word(6), word(7))
        let (w8, w9, w10, w11) = (word(8), word(9), word(10), word(11))
        let (w12, w13, w14, w15) = (word(12), word(13), word(14), word(15))
        var (a, b, c, d) = (words[0], words[1], words[2], words[3])
        first(&a, b, c, d, w0 &+ 0xd76a_a478, 7)
        first(&d, a, b, c, w1 &+ 0xe8c7_b756, 12)
        first(&c, d, a, b, w2 &+ 0x2420_70db, 17)
        first(&b, c, d, a, w3 &+ 0xc1bd_ceee, 22)
        first(&a, b, c, d, w4 &+ 0xf57c_0faf, 7)
        first(&d, a, b, c, w5 &+ 0x4787_c62a, 12)
        first(&c, d, a, b, w6 &+ 0xa830_4613, 17)
        first(&b, c, d, a, w7 &+ 0xfd46_9501, 22)
        first(&a, b, c, d, w8 &+ 0x6980_98d8, 7)
        first(&d, a, b, c, w9 &+ 0x8b44_f7af, 12)
        first(&c, d, a, b, w10 &+ 0xffff_5bb1, 17)
        first(&b, c, d, a, w11 &+ 0x895c_d7be, 22)
        first(&a, b, c, d, w12 &+ 0x6b90_1122, 7)
        first(&d, a, b, c, w13 &+ 0xfd98_7193, 12)
        first(&c, d, a, b, w14 &+ 0xa679_438e, 17)
        first(&b, c, d, a, w15 &+ 0x49b4_0821, 22)
        second(&a, b, c, d, w1 &+ 0xf61e_2562, 5)
        second(&d, a, b, c, w6 &+ 0xc040_b340, 9)
        second(&c, d, a, b, w11 &+ 0x265e_5a51, 14)
        second(&b, c, d, a, w0 &+ 0xe9b6_c7aa, 20)
        second(&a, b, c, d, w5 &+ 0xd62f_105d, 5)
        second(&d, a, b, c, w10 &+ 0x0244_1453, 9)
        second(&c, d, a, b, w15 &+ 0xd8a1_e681, 14)
        second(&b, c, d, a, w4 &+ 0xe7d3_fbc8, 20)
        second(&a, b, c, d, w9 &+ 0x21e1_cde6, 5)
        second(&d, a, b, c, w14 &+ 0xc337_07d6, 9)
        second(&c, d, a, b, w3 &+ 0xf4d5_0d87, 14)
        second(&b, c, d, a, w8 &+ 0x455a_14ed, 20)
        second(&a, b, c, d, w13 &+ 0xa9e3_e905, 5)
        second(&d, a, b, c, w2 &+ 0xfcef_a3f8, 9)
        second(&c, d, a, b, w7 &+ 0x676f_02d9, 14)
        second(&b, c, d, a, w12 &+ 0x8d2a_4c8a, 20)
        third(&a, b, c, d, w5 &+ 0xfffa_3942, 4)
        third(&d, a, b, c, w8 &+ 0x8771_f681, 11)
        third(&c, d, a, b, w11 &+ 0x6d9d_6122, 16)
        third(&b, c, d, a, w14 &+ 0xfde5_380c, 23)
        third(&a, b, c, d, w1 &+ 0xa4be_ea44, 4)
        third(&d, a, b, c, w4 &+ 0x4bde_cfa9, 11)
        third(&c, d, a, b, w7 &+ 0xf6bb_4b60, 16)
        third(&b, c, d, a, w10 &+ 0xbebf_bc70, 23)
        third(&a, b, c, d, w13 &+ 0x289b_7ec6, 4)
        third(&d, a, b, c, w0 &+ 0xeaa1_27fa, 11)
        third(&c, d, a, b, w3 &+ 0xd4ef_3085, 16)
        third(&b, c, d, a, w6 &+ 0x0488_1d05, 23)
        third(&a, b, c, d, w9 &+ 0xd9d4_d039, 4)
        third(&d, a, b, c, w12 &+ 0xe6db_99e5, 11)
        third(&c, d, a, b, w15 &+ 0x1fa2_7cf8, 16)
        third(&b, c, d, a, w2 &+ 0xc4ac_5665, 23)
        fourth(&a, b, c, d, w0 &+ 0xf429_2244, 6)
        fourth(&d, a, b, c, w7 &+ 0x432a_ff97, 10)
        fourth(&c, d, a, b, w14 &+ 0xab94_23a7, 15)
        fourth(&b, c, d, a, w5 &+ 0xfc93_a039, 21)
        fourth(&a, b, c, d, w12 &+ 0x655b_59c3, 6)
        fourth(&d, a, b, c, w3 &+ 0x8f0c_cc92, 10)
        fourth(&c, d, a, b, w10 &+ 0xffef_f47d, 15)
        fourth(&b, c, d, a, w1 &+ 0x8584_5dd1, 21)
        fourth(&a, b, c, d, w8 &+ 0x6fa8_7e4f, 6)
        fourth(&d, a, b, c, w15 &+ 0xfe2c_e6e0, 10)
        fourth(&c, d, a, b, w6 &+ 0xa301_4314, 15)
        fourth(&b, c, d, a, w13 &+ 0x4e08_11a1, 21)
        fourth(&a, b, c, d, w4 &+ 0xf753_7e82, 6)
        fourth(&d, a, b, c, w11 &+ 0xbd3a_f235, 10)
        fourth(&c, d, a, b, w2 &+ 0x2ad7_d2bb, 15)
        fourth(&b, c, d, a, w9 &+ 0xeb86_d391, 21)
        words &+= SIMD4(a, b, c, d)
    }

    // One step of each of the four rounds: a becomes b plus the rotated sum.

    @inline(__always)
    private func first(
        _ a: inout UInt32,
        _ b: UInt32,
        _ c: UInt32,
        _ d: UInt32,
        _ input: UInt32,
        _ shift: UInt32
    ) {
        a = b &+ (a &+ (d ^ (b & (c ^ d))) &+ input).rotated(32 &- shift)
    }

    @inline(__always)
    private func second(
        _ a: inout UInt32,
        _ b: UInt32,
        _ c: UInt32,
        _ d: UInt32,
        _ input: UInt32,
        _ shift: UInt32
    ) {
        a = b &+ (a &+ (c ^ (d & (b ^ c))) &+ input).rotated(32 &- shift)
    }

    @inline(__always)
    private func third(
        _ a: inout UInt32,
        _ b: UInt32,
        _ c: UInt32,
        _ d: UInt32,
        _ input: UInt32,
        _ shift: UInt32
    ) {
        a = b &+ (a &+ (b ^ c ^ d) &+ input).rotated(32 &- shift)
    }

    @inline(__always)
    private func fourth(
        _ a: inout UInt32,
        _ b: UInt32,
        _ c: UInt32,
        _ d: UInt32,
        _ input: UInt32,
        _ shift: UInt32
    ) {
        a = b &+ (a &+ (c ^ (b | ~d)) &+ input).rotated(32 &- shift)
    }
}
