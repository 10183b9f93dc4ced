// What the guide HTTPMessageSignatures shows.
import InterceptorKit
import InterceptorKitSigning

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

func standard(_ keys: some SigningKeyStore) -> SignInterceptor {
    // snippet.sign
    let scheme = MessageSignatureScheme(tag: "orders")
    let sign = SignInterceptor(RequestSigner(scheme, keys: keys))
    // snippet.end
    return sign
}

func coverage() -> MessageSignatureScheme {
    // snippet.coverage
    let coverage = SignatureCoverage(
        [.method, .targetURI, .queryParameter("page"), "x-tenant"],
        ifPresent: ["content-digest", .field("priority").key("u")]
    )
    let scheme = MessageSignatureScheme(coverage, lifetime: .seconds(60), contentDigest: .sha512)
    // snippet.end
    return scheme
}

func unsigned() -> MessageSignatureScheme {
    // snippet.unsigned
    let scheme = MessageSignatureScheme(contentDigest: nil)
    // snippet.end
    return scheme
}

func obedient(_ scheme: MessageSignatureScheme, _ keys: some SigningKeyStore) -> SignInterceptor {
    // snippet.policy
    let policy = SignatureRequestPolicy(origins: ["https://api.example.com"], tags: ["orders"])
    let sign = SignInterceptor(RequestSigner(scheme.fulfilling(policy), keys: keys))
    // snippet.end
    return sign
}

// snippet.demand
func scheme(for refusal: HTTP.Response) throws -> MessageSignatureScheme? {
    try SignatureRequest.parse(refusal.headers).first.map {
        MessageSignatureScheme(fulfilling: $0)
    }
}
// snippet.end

// snippet.verify
struct Gate {
    let verifier: MessageSignatureVerifier

    init(secret: [UInt8]) {
        let keys = FixedVerificationKeys([VerificationKey(id: "app-1", secret: secret)])
        verifier = MessageSignatureVerifier(keys: keys, tag: "orders", nonces: NonceCache())
    }

    func admits(_ request: HTTP.Request, at date: Date) async throws -> Bool {
        do {
            let signature = try await verifier.verify(.request(request), at: date)
            return signature.keyID == "app-1"
        } catch let refusal as SignatureVerificationError {
            print(refusal.code, refusal.message)  // For the log; the client hears 401 and no more.
            return false
        }
    }
}
// snippet.end

// snippet.response
func sign(_ response: HTTP.Response, with key: SigningKey, at date: Date) throws -> HTTP.Response {
    var parameters = SignatureParameters([.status, .method.ofRequest, .targetURI.ofRequest])
    parameters.created = Int(date.timeIntervalSince1970)
    parameters.keyID = key.id
    return try response.signed(parameters, with: key)
}
// snippet.end

func components() {
    // snippet.components
    let covered: [MessageComponent] = [.method, .authority, "x-tenant", .queryParameter("page")]
    print(covered[3])  // "@query-param";name="page"
    // snippet.end
}

func status(
    of request: HTTP.Request,
    keys: some VerificationKeyStore
) async throws -> HTTP.Status {
    // snippet.genuine
    let verifier = MessageSignatureVerifier(keys: keys, nonces: NonceCache())
    guard try await verifier.isGenuine(.request(request), at: Date()) else { return 401 }
    // snippet.end
    return 200
}

func serving(_ keys: some VerificationKeyStore) -> VerifyInterceptor {
    // snippet.serving
    let verifier = MessageSignatureVerifier(keys: keys, nonces: NonceCache())
    let verify = VerifyInterceptor(.messageSignature(verifier))
    // snippet.end
    return verify
}
