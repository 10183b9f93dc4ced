/// The eight words of SHA-512, SHA-384 and SHA-512/256 (FIPS 180-4 section 6.4).
struct SHA512State: CompressionState {
    // Safety: a block is read at its sixteen words, the table at its 80 constants.

    typealias Block = Block128

    static var wordCount: Int { 8 }
    static var isBigEndian: Bool { true }

    private var first: SIMD2<UInt64>
    private var second: SIMD2<UInt64>
    private var third: SIMD2<UInt64>
    private var fourth: SIMD2<UInt64>

    var words: SIMD8<UInt64> {
        get {
            SIMD8(
                lowHalf: SIMD4(lowHalf: first, highHalf: second),
                highHalf: SIMD4(lowHalf: third, highHalf: fourth)
            )
        }
        set { self = SHA512State(words: newValue) }
    }

    private init(words: SIMD8<UInt64>) {
        first = words.lowHalf.lowHalf
        second = words.lowHalf.highHalf
        third = words.highHalf.lowHalf
        fourth = words.highHalf.highHalf
    }

    static let sha512 = SHA512State(
        words: SIMD8(
            0x6a09_e667_f3bc_c908,
            0xbb67_ae85_84ca_a73b,
            0x3c6e_f372_fe94_f82b,
            0xa54f_f53a_5f1d_36f1,
            0x510e_527f_ade6_82d1,
            0x9b05_688c_2b3e_6c1f,
            0x1f83_d9ab_fb41_bd6b,
            0x5be0_cd19_137e_2179
        )
    )

    static let sha384 = SHA512State(
        words: SIMD8(
            0xcbbb_9d5d_c105_9ed8,
            0x629a_292a_367c_d507,
            0x9159_015a_3070_dd17,
            0x152f_ecd8_f70e_5939,
            0x6733_2667_ffc0_0b31,
            0x8eb4_4a87_6858_1511,
            0xdb0c_2e0d_64f9_8fa7,
            0x47b5_481d_befa_4fa4
        )
    )

    /// The initial state of SHA-512/256 (section 5.3.6.2).
    static let sha512_256 = SHA512State(
        words: SIMD8(
            0x2231_2194_fc2b_f72c,
            0x9f55_5fa3_c84c_64c2,
            0x2393_b86b_6f53_b151,
            0x9638_7719_5940_eabd,
            0x9628_3ee2_a88e_ffe3,
            0xbe5e_1e25_5386_3992,
            0x2b01_99fc_2c85_b8aa,
            0x0eb7_2ddc_81c5_2ca2
        )
    )

    mutating func compress(block: UnsafeRawPointer) {
        unsafe SHA512State.constants.withUnsafeBufferPointer { table in
            guard let constants = table.baseAddress else { return }
            unsafe compress(block, constants)
        }
    }

    private mutating func compress(_ block: UnsafeRawPointer, _ constants: UnsafePointer<UInt64>) {
        func word(_ index: Int) -> UInt64 {
            unsafe UInt64(
                bigEndian: block.loadUnaligned(fromByteOffset: index &* 8, as: UInt64.self)
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
        func constant(_ index: Int) -> UInt64 { unsafe constants[offset &+ index] }
        var remaining = 5
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
        _ a: UInt64,
        _ b: UInt64,
        _ c: UInt64,
        _ d: inout UInt64,
        _ e: UInt64,
        _ f: UInt64,
        _ g: UInt64,
        _ h: inout UInt64,
        _ input: UInt64
    ) {
        let sumE = e.rotated(14) ^ e.rotated(18) ^ e.rotated(41)
        let first = h &+ sumE &+ (g ^ (e & (f ^ g))) &+ input
        let sumA = a.rotated(28) ^ a.rotated(34) ^ a.rotated(39)
        d &+= first
        h = first &+ sumA &+ (b ^ ((a ^ b) & (b ^ c)))
    }

    @inline(__always)
    private func extend(_ w: inout UInt64, _ early: UInt64, _ middle: UInt64, _ late: UInt64) {
        let mixedEarly = early.rotated(1) ^ early.rotated(8) ^ (early &>> 7)
        let mixedLate = late.rotated(19) ^ late.rotated(61) ^ (late &>> 6)
        w = w &+ mixedEarly &+ middle &+ mixedLate
    }

    private static let constants: [UInt64] = [
        0x428a_2f98_d728_ae22, 0x7137_4491_23ef_65cd, 0xb5c0_fbcf_ec4d_3b2f, 0xe9b5_dba5_8189_dbbc,
        0x3956_c25b_f348_b538, 0x59f1_11f1_b605_d019, 0x923f_82a4_af19_4f9b, 0xab1c_5ed5_da6d_8118,
        0xd807_aa98_a303_0242, 0x1283_5b01_4570_6fbe, 0x2431_85be_4ee4_b28c, 0x550c_7dc3_d5ff_b4e2,
        0x72be_5d74_f27b_896f, 0x80de_b1fe_3b16_96b1, 0x9bdc_06a7_25c7_1235, 0xc19b_f174_cf69_2694,
        0xe49b_69c1_9ef1_4ad2, 0xefbe_4786_384f_25e3, 0x0fc1_9dc6_8b8c_d5b5, 0x240c_a1cc_77ac_9c65,
        0x2de9_2c6f_592b_0275, 0x4a74_84aa_6ea6_e483, 0x5cb0_a9dc_bd41_fbd4, 0x76f9_88da_8311_53b5,
        0x983e_5152_ee66_dfab, 0xa831_c66d_2db4_3210, 0xb003_27c8_98fb_213f, 0xbf59_7fc7_beef_0ee4,
        0xc6e0_0bf3_3da8_8fc2, 0xd5a7_9147_930a_a725, 0x06ca_6351_e003_826f, 0x1429_2967_0a0e_6e70,
        0x27b7_0a85_46d2_2ffc, 0x2e1b_2138_5c26_c926, 0x4d2c_6dfc_5ac4_2aed, 0x5338_0d13_9d95_b3df,
        0x650a_7354_8baf_63de, 0x766a_0abb_3c77_b2a8, 0x81c2_c92e_47ed_aee6, 0x9272_2c85_1482_353b,
        0xa2bf_e8a1_4cf1_0364, 0xa81a_664b_bc42_3001, 0xc24b_8b70_d0f8_9791, 0xc76c_51a3_0654_be30,
        0xd192_e819_d6ef_5218, 0xd699_0624_5565_a910, 0xf40e_3585_5771_202a, 0x106a_a070_32bb_d1b8,
        0x19a4_c116_b8d2_d0c8, 0x1e37_6c08_5141_ab53, 0x2748_774c_df8e_eb99, 0x34b0_bcb5_e19b_48a8,
        0x391c_0cb3_c5c9_5a63, 0x4ed8_aa4a_e341_8acb, 0x5b9c_ca4f_7763_e373, 0x682e_6ff3_d6b2_b8a3,
        0x748f_82ee_5def_b2fc, 0x78a5_636f_4317_2f60, 0x84c8_7814_a1f0_ab72, 0x8cc7_0208_1a64_39ec,
        0x90be_fffa_2363_1e28, 0xa450_6ceb_de82_bde9, 0xbef9_a3f7_b2c6_7915, 0xc671_78f2_e372_532b,
        0xca27_3ece_ea26_619c, 0xd186_b8c7_21c0_c207, 0xeada_7dd6_cde0_eb1e, 0xf57d_4f7f_ee6e_d178,
        0x06f0_67aa_7217_6fba, 0x0a63_7dc5_a2c8_98a6, 0x113f_9804_bef9_0dae, 0x1b71_0b35_131c_471b,
        0x28db_77f5_2304_7d84, 0x32ca_ab7b_40c7_2493, 0x3c9e_be0a_15c9_bebc, 0x431d_67c4_9c10_0d4c,
        0x4cc5_d4be_cb3e_42b6, 0x597f_299c_fc65_7e2a, 0x5fcb_6fab_3ad6_faec, 0x6c44_198c_4a47_5817,
    ]
}

extension UInt64 {
    /// Returns the bits rotated to the right.
    @inline(__always)
    func rotated(_ count: UInt64) -> UInt64 { self &>> count | self &<< (64 &- count) }
}
