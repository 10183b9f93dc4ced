// What the guide SignRequests shows.
import InterceptorKit
import InterceptorKitAuthentication

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
