#if canImport(CryptoKit)
import CryptoKit

/// A hash by CryptoKit, which uses the processor's own instructions.
struct CryptoKitHash: Sendable {
    // Safety: what CryptoKit reads and what is copied from it is used within the call that gives it.

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

    func finalize(into digest: UnsafeMutableRawBufferPointer) {
        unsafe write(hash, to: digest)
    }

    private func write(_ hash: some HashFunction, to digest: UnsafeMutableRawBufferPointer) {
        unsafe hash.finalize().withUnsafeBytes { bytes in
            unsafe digest.copyMemory(from: bytes)
        }
    }
}
#endif
