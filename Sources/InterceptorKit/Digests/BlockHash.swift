/// A hash that cuts its input into blocks for a compression function and pads the last one.
struct BlockHash<State: CompressionState>: Sendable {
    // Safety: pointers are used within the call that gives them. `filled` is less than a block's size whenever bytes
    // are added, and what is added ends with the block.

    private var state: State
    // The bytes that do not fill a block yet.
    private var block = State.Block()
    private var filled = 0
    private var length: UInt64 = 0

    init(_ state: State) { self.state = state }

    mutating func update(_ bytes: UnsafeRawBufferPointer) {
        length &+= UInt64(bytes.count)
        var start = 0
        if filled > 0 {
            start = min(bytes.count, State.Block.size &- filled)
            unsafe fill(from: UnsafeRawBufferPointer(rebasing: bytes[..<start]))
            guard filled == State.Block.size else { return }
            compressBlock()
        }
        let whole = (bytes.count &- start) / State.Block.size &* State.Block.size
        if whole > 0 {
            unsafe state.compress(UnsafeRawBufferPointer(rebasing: bytes[start..<start &+ whole]))
        }
        if start &+ whole < bytes.count {
            unsafe fill(from: UnsafeRawBufferPointer(rebasing: bytes[(start &+ whole)...]))
        }
    }

    /// Pads the input and writes the final state.
    mutating func finalize(into digest: UnsafeMutableRawBufferPointer) {
        let (high, low) = (length &>> 61, length &<< 3)
        pad(with: 0x80, count: 1)
        // SHA-512 counts bits in 16 bytes, the others in 8.
        let lengthSize = State.Block.size / 8
        if filled > State.Block.size &- lengthSize {
            pad(with: 0, count: State.Block.size &- filled)
            compressBlock()
        }
        pad(with: 0, count: State.Block.size &- lengthSize &- filled)
        if lengthSize == 16 { append(high) }
        append(low)
        compressBlock()
        unsafe state.write(to: digest)
    }

    private mutating func append(_ word: UInt64) {
        let word = State.isBigEndian ? word.bigEndian : word.littleEndian
        unsafe withUnsafeBytes(of: word) { bytes in unsafe fill(from: bytes) }
    }

    private mutating func fill(from bytes: UnsafeRawBufferPointer) {
        unsafe withUnsafeMutableBytes(of: &block) { block in
            let rest = unsafe UnsafeMutableRawBufferPointer(rebasing: block[filled...])
            unsafe rest.copyMemory(from: bytes)
        }
        filled &+= bytes.count
    }

    private mutating func pad(with byte: UInt8, count: Int) {
        unsafe withUnsafeMutableBytes(of: &block) { block in
            for index in filled..<filled &+ count { unsafe block[index] = byte }
        }
        filled &+= count
    }

    private mutating func compressBlock() {
        let block = block
        unsafe withUnsafeBytes(of: block) { bytes in unsafe state.compress(bytes) }
        filled = 0
    }
}
