#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The functions of the system's libcrypto that hash blocks, opened when much is hashed for the first
/// time, so that nothing is linked.
///
/// They are the low-level ones, as `SHA256_Update`, since a hash moves between them and this library after
/// any block: they keep their state in a context that the caller owns. Those of `EVP_` keep it in an object
/// on the heap, take no state from outside and read the system's configuration when they are first used.
@safe
struct Libcrypto: Sendable {
    // Safety: sha.h and md5.h declare the functions as `Update`, and the library is never closed. A function
    // that does not give what this library does with some blocks is not used.

    /// Adds bytes to a context; 1 unless that fails.
    typealias Update = @convention(c) (UnsafeMutableRawPointer, UnsafeRawPointer, Int) -> CInt

    /// More than the size of any of the contexts, the largest of which has 216 bytes. Each begins with the
    /// words; what follows is for lengths and bytes left over, and all zeros mean that there are none.
    static let contextSize = 256

    let md5: Update?
    let sha1: Update?
    let sha256: Update?
    let sha512: Update?

    /// OpenSSL 3, then 1.1.1. Elsewhere the same names may stand for other contexts.
    static let usualNames = ["libcrypto.so.3", "libcrypto.so.1.1"]

    /// `nil` where there is none.
    static let shared = Libcrypto(names: usualNames)

    /// Opens the first of some libraries that is there.
    init?(names: [String]) {
        for name in names {
            guard let library = unsafe dlopen(name, RTLD_NOW | RTLD_LOCAL) else { continue }
            func find(_ name: String, _ state: some CompressionState) -> Update? {
                guard let address = unsafe dlsym(library, name) else { return nil }
                let update = unsafe unsafeBitCast(address, to: Update.self)
                return unsafe state.agrees(with: update) ? update : nil
            }
            unsafe md5 = find("MD5_Update", MD5State.md5)
            unsafe sha1 = find("SHA1_Update", SHA1State.sha1)
            unsafe sha256 = find("SHA256_Update", SHA256State.sha256)
            unsafe sha512 = find("SHA512_Update", SHA512State.sha512)
            return
        }
        return nil
    }
}

extension CompressionState {
    /// Takes in whole blocks by a function of libcrypto.
    /// - Returns: Whether it did; nothing is changed if not.
    // Safety: the context is larger than any that the function knows, aligned to more than its words, and
    // ends before the function could keep its address; `blocks` is valid for the call.
    mutating func compress(_ blocks: UnsafeRawBufferPointer, by update: Libcrypto.Update) -> Bool {
        guard let start = blocks.baseAddress else { return true }
        var words = words
        let isDone = unsafe withUnsafeTemporaryAllocation(
            byteCount: Libcrypto.contextSize,
            alignment: 16
        ) { context in
            guard let address = context.baseAddress else { return false }
            unsafe context.initializeMemory(as: UInt8.self, repeating: 0)
            for index in 0..<Self.wordCount {
                unsafe context.storeBytes(
                    of: words[index],
                    toByteOffset: index &* Self.wordSize,
                    as: Words.Scalar.self
                )
            }
            guard unsafe update(address, start, blocks.count) == 1 else { return false }
            for index in 0..<Self.wordCount {
                words[index] = unsafe context.loadUnaligned(
                    fromByteOffset: index &* Self.wordSize,
                    as: Words.Scalar.self
                )
            }
            return true
        }
        if isDone { self.words = words }
        return isDone
    }

    /// Whether a function of libcrypto does with a few blocks what this does.
    func agrees(with update: Libcrypto.Update) -> Bool {
        let blocks = (0..<3 * Block.size).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        return unsafe blocks.withUnsafeBytes { blocks in
            var (own, other) = (self, self)
            unsafe own.compress(blocks)
            return unsafe other.compress(blocks, by: update) && own.words == other.words
        }
    }
}
