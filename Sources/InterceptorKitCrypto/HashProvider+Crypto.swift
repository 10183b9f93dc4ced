#if Crypto
import Crypto
public import InterceptorKit

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension HashProvider {
    /// swift-crypto's functions: MD5, SHA-1, SHA-256, SHA-384 and SHA-512, and the HMACs of them, with
    /// the processor's own instructions. SHA-224 and SHA-512/256, which it has not, are the core's.
    public static var swiftCrypto: HashProvider {
        HashProvider { algorithm in
            switch algorithm {
            case .md5: ProvidedHash<Insecure.MD5>()
            case .sha1: ProvidedHash<Insecure.SHA1>()
            case .sha256: ProvidedHash<SHA256>()
            case .sha384: ProvidedHash<SHA384>()
            case .sha512: ProvidedHash<SHA512>()
            default: nil
            }
        }
    }
}

private struct ProvidedHash<Function: HashFunction>: HashState {
    private var function = Function()

    mutating func update(_ bytes: UnsafeRawBufferPointer) {
        unsafe function.update(bufferPointer: bytes)
    }

    func finish(into digest: UnsafeMutableRawBufferPointer) {
        unsafe function.finalize().withUnsafeBytes { bytes in
            unsafe digest.copyMemory(from: bytes)
        }
    }
}
#endif
