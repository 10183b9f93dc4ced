/// SHA-256 (FIPS 180-4), written here because neither the language nor FoundationEssentials has one.
package struct SHA256: Sendable {
    private var state = SHA256.initialState
    // Bytes that do not fill a block yet.
    private var rest: [UInt8] = []
    private var length: UInt64 = 0

    /// Creates a hash of nothing.
    package init() {}

    /// The hash of some bytes.
    package static func hash(_ bytes: some Sequence<UInt8>) -> [UInt8] {
        var hash = SHA256()
        hash.update(bytes)
        return hash.finalize()
    }

    /// Adds bytes.
    package mutating func update(_ bytes: some Sequence<UInt8>) {
        let isDone: Void? = bytes.withContiguousStorageIfAvailable { buffer in
            unsafe update(UnsafeRawBufferPointer(buffer))
        }
        if isDone != nil { return }
        unsafe Array(bytes).withUnsafeBytes { buffer in unsafe update(buffer) }
    }

    private mutating func update(_ buffer: UnsafeRawBufferPointer) {
        length &+= UInt64(buffer.count) &* 8
        var buffer = unsafe buffer[...]
        if !rest.isEmpty {
            let missing = unsafe buffer.prefix(64 - rest.count)
            unsafe rest.append(contentsOf: missing)
            unsafe buffer = buffer.dropFirst(missing.count)
            guard rest.count == 64 else { return }
            unsafe rest.withUnsafeBytes { block in unsafe state.compress(block[...]) }
            rest.removeAll(keepingCapacity: true)
        }
        while unsafe buffer.count >= 64 {
            unsafe state.compress(buffer.prefix(64))
            unsafe buffer = buffer.dropFirst(64)
        }
        unsafe rest.append(contentsOf: buffer)
    }

    /// The hash of all bytes added: 32 bytes.
    package consuming func finalize() -> [UInt8] {
        let bits = length
        let padding = (rest.count < 56 ? 56 : 120) - rest.count
        var tail: [UInt8] = [0x80]
        tail += repeatElement(0, count: padding - 1)
        tail += stride(from: 56, through: 0, by: -8).map { UInt8(truncatingIfNeeded: bits >> $0) }
        update(tail)
        return state.bytes
    }

    private static let initialState = SHA256State(
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
}
