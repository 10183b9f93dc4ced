import Expectations
import Testing

@testable import InterceptorKit

@Suite("CompressionState")
struct CompressionStateTests {
    @Test("reads blocks at any address", arguments: [1, 3, 7])
    func addresses(offset: Int) {
        expectEqual(words(of: MD5State.md5, at: offset), words(of: MD5State.md5, at: 0))
        expectEqual(words(of: SHA1State.sha1, at: offset), words(of: SHA1State.sha1, at: 0))
        expectEqual(words(of: SHA256State.sha256, at: offset), words(of: SHA256State.sha256, at: 0))
        expectEqual(words(of: SHA512State.sha512, at: offset), words(of: SHA512State.sha512, at: 0))
    }

    @Test("writes its words in the byte order of its function, and no more")
    func order() {
        let rest = String(repeating: "aa", count: 12)

        // As RFC 1321 section 3.3 shows them, and FIPS 180-4 section 5.3.1.
        expectEqual(written(MD5State.md5), "0123456789abcdeffedcba9876543210" + rest + "aaaaaaaa")
        expectEqual(written(SHA1State.sha1), "67452301efcdab8998badcfe10325476c3d2e1f0" + rest)
    }

    @Test("has blocks without padding, whose bytes are found by index")
    func blocks() {
        var block = Block64()

        unsafe withUnsafeMutableBytes(of: &block) { bytes in
            unsafe bytes.copyBytes(from: UInt8(0)..<64)
        }

        expectEqual((0..<64).map { block[$0] }, Array(0..<64))
        expectEqual(block[64 + 17], 17)
        expectEqual(MemoryLayout<Block64>.size, Block64.size)
        expectEqual(MemoryLayout<Block128>.size, Block128.size)
    }

    private func words<State: CompressionState>(of state: State, at offset: Int) -> State.Words {
        let message = (0..<2 * State.Block.size).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        var state = state
        unsafe (Array(repeating: 0, count: offset) + message).withUnsafeBytes { bytes in
            unsafe state.compress(UnsafeRawBufferPointer(rebasing: bytes[offset...]))
        }
        return state.words
    }

    private func written(_ state: some CompressionState) -> String {
        var bytes = [UInt8](repeating: 0xaa, count: 32)
        unsafe bytes.withUnsafeMutableBytes { unsafe state.write(to: $0) }
        return bytes.hexadecimal
    }
}
