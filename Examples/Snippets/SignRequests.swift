// What the guide SignRequests shows.
import InterceptorKit
import InterceptorKitAuthentication

func signer(_ secret: String) -> SignInterceptor {
    // snippet.parameters
    let sign = SignInterceptor(.hmacSHA256(keyID: "app-1", secret: secret, in: .parameters))
    // snippet.end
    return sign
}

// snippet.rotating
actor RotatingKeys: SigningKeyStore {
    private var keys: [SigningKey]

    init(_ first: SigningKey) { keys = [first] }

    func rotate(to key: SigningKey) { keys.insert(key, at: 0) }

    func key(id: String?) -> SigningKey? {
        guard let id else { return keys.first }
        return keys.first { $0.id == id }
    }
}
// snippet.end

func withKeysInAFile(_ secret: String) async throws -> SignInterceptor {
    // snippet.file
    let keys = SigningKeyFile("/var/lib/orders/signing-keys")
    try await keys.save(SigningKey(id: "app-1", secret: secret.utf8))
    let sign = SignInterceptor(RequestSigner(HMACScheme(), keys: keys))
    // snippet.end
    return sign
}

// snippet.scheme
struct LegacyScheme: SignatureScheme {
    var signatureFields: [String] { ["X-Time", "X-Sign"] }

    func bodyHash(for request: HTTP.Request) -> HashAlgorithm? { .sha256 }

    func sign(_ request: HTTP.Request, _ context: SigningContext) throws -> HTTP.Request {
        var request = request
        let time = "\(context.timestamp)"
        let digest = context.bodyHash?.hexadecimal ?? ""
        let text = [request.method.rawValue, request.url.requestTarget, digest, time]
            .joined(separator: "\n")
        request.headers["X-Time"] = time
        let code = try context.authenticationCode(of: text.utf8, using: .sha1)
        request.headers["X-Sign"] = code.hexadecimal
        return request
    }
}
// snippet.end
