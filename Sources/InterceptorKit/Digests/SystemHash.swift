#if canImport(CryptoKit)
import CryptoKit

/// A hash by CryptoKit, which uses the processor's own instructions.
struct SystemHash: Sendable {
    // Safety: bytes that CryptoKit reads, and bytes copied from it, are used within the call that lends them.

    private var hash: any HashFunction & Sendable

    /// `nil` for SHA-512/256, which CryptoKit lacks.
    init?(_ algorithm: HashAlgorithm) {
        switch algorithm.function {
        case .md5: hash = Insecure.MD5()
        case .sha1: hash = Insecure.SHA1()
        case .sha256: hash = SHA256()
        case .sha384: hash = SHA384()
        case .sha512: hash = SHA512()
        case .sha512_256: return nil
        }
    }

    mutating func update(_ bytes: UnsafeRawBufferPointer) {
        unsafe hash.update(bufferPointer: bytes)
    }

    mutating func finalize(into digest: UnsafeMutableRawBufferPointer) {
        unsafe write(hash, to: digest)
    }

    private func write(_ hash: some HashFunction, to digest: UnsafeMutableRawBufferPointer) {
        unsafe hash.finalize().withUnsafeBytes { bytes in
            unsafe digest.copyMemory(from: bytes)
        }
    }
}
#else
/// A hash by libcrypto, which uses the processor's own instructions. A copy continues separately.
struct SystemHash: Sendable {
    // Safety: libcrypto reads and writes within the call; a digest has room for the longest.

    // `nil` after a failure, which libcrypto has only in a FIPS module that found itself broken.
    private var context: Context?

    /// `nil` if there is no libcrypto, or if it lacks the algorithm.
    init?(_ algorithm: HashAlgorithm, _ library: Libcrypto? = .shared) {
        guard let library, let kind = unsafe library[algorithm] else { return nil }
        context = Context(library)
        let hasBegun = context.map { unsafe library.begin($0.pointer, kind, nil) == 1 }
        guard hasBegun == true else { return nil }
    }

    mutating func update(_ bytes: UnsafeRawBufferPointer) {
        own()
        guard let context else { return }
        if unsafe context.library.update(context.pointer, bytes.baseAddress, bytes.count) != 1 {
            self.context = nil
        }
    }

    /// Writes the digest, or random bytes after a failure, which are no message's digest.
    mutating func finalize(into digest: UnsafeMutableRawBufferPointer) {
        own()
        if let context,
            unsafe context.library.finish(context.pointer, digest.baseAddress, nil) == 1
        {
            return
        }
        unsafe digest.copyBytes(from: Runtime.live.randomBytes(digest.count))
    }

    /// Copies the context if another value shares it.
    private mutating func own() {
        if !isKnownUniquelyReferenced(&context) { context = context?.copied() }
    }
}

/// The state of one hash in libcrypto.
@safe
private final class Context: @unchecked Sendable {
    // Invariant behind `@unchecked Sendable`: only the owner of the sole reference changes the state.
    // Safety: the pointer is freed with this object and not before.

    let library: Libcrypto
    let pointer: OpaquePointer

    init?(_ library: Libcrypto) {
        guard let pointer = unsafe library.make() else { return nil }
        self.library = library
        unsafe self.pointer = pointer
    }

    deinit { unsafe library.free(pointer) }

    func copied() -> Context? {
        guard let copy = Context(library),
            unsafe library.copy(copy.pointer, pointer) == 1
        else { return nil }
        return copy
    }
}
#endif
