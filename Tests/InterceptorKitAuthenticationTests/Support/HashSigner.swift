import InterceptorKit

/// Signs by hashing: enough to see what is signed and that it is.
struct HashSigner: MessageSigner {
    var algorithm = SignatureAlgorithm.ecdsaP256SHA256

    func signature(of message: [UInt8]) throws -> [UInt8] {
        Array(HashAlgorithm.sha512.hash(message))
    }
}
