#if canImport(CryptoKit)
import CryptoKit

/// A hash by CryptoKit, which uses the processor's own instructions.
struct CryptoKitHash: Sendable {
    // Safety: what CryptoKit reads and what is copied from it is used within the call that gives it.

    private var function: any HashFunction & Sendable

    /// `nil` for SHA-224 and SHA-512/256, which CryptoKit lacks.
    init?(_ algorithm: HashAlgorithm) {
        switch algorithm.function {
        case .md5: function = Insecure.MD5()
        case .sha1: function = Insecure.SHA1()
        case .sha256: function = SHA256()
        case .sha384: function = SHA384()
        case .sha512: function = SHA512()
        case .sha224, .sha512_256: return nil
        }
    }

    mutating func update(_ bytes: UnsafeRawBufferPointer) {
        unsafe function.update(bufferPointer: bytes)
    }

    func finalize(into digest: UnsafeMutableRawBufferPointer) {
        unsafe write(function, to: digest)
    }

    private func write(_ function: some HashFunction, to digest: UnsafeMutableRawBufferPointer) {
        unsafe function.finalize().withUnsafeBytes { bytes in
            unsafe digest.copyMemory(from: bytes)
        }
    }
}
#endif
