// What the guide SignForAWS shows.
import InterceptorKit
import InterceptorKitAWS
import InterceptorKitSigning

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

func aws(_ keys: some SigningKeyStore) -> SignInterceptor {
    // snippet.aws
    let sign = SignInterceptor(
        RequestSigner(.aws(service: "execute-api", region: "eu-west-1"), keys: keys)
    )
    // snippet.end
    return sign
}

struct Credentials {
    var accessKey: String
    var secretKey: String
    var sessionToken: String?
}

func presigned(_ credentials: Credentials, _ date: Date) throws -> HTTP.URL {
    // snippet.token
    var key = SigningKey(id: credentials.accessKey, secret: credentials.secretKey.utf8)
    key.token = credentials.sessionToken
    // snippet.presigned
    let url = try AWSSignatureV4.s3(region: "eu-west-1").presignedURL(
        for: .get("https://bucket.s3.eu-west-1.amazonaws.com/report.pdf"),
        SigningContext(key: key, freshness: SignatureFreshness(date: date, nonce: "")),
        validFor: .seconds(900)
    )
    // snippet.end
    return url
}

struct AccessKeys {
    let accessKeys: FixedVerificationKeys

    // snippet.awsVerifier
    func content(of request: HTTP.Request, at date: Date) async throws -> HTTP.Body? {
        let verifier = AWSSignatureV4Verifier(.s3(region: "eu-west-1"), keys: accessKeys)
        do {
            return try await verifier.verify(request, at: date).content
        } catch let refusal as SignatureVerificationError {
            print(refusal.code, refusal.message)  // For the log; the client hears 403 and no more.
            return nil
        }
    }
    // snippet.end
}

func status(
    of request: HTTP.Request,
    keys: some VerificationKeyStore
) async throws -> HTTP.Status {
    // snippet.genuine
    let verifier = AWSSignatureV4Verifier(.s3(region: "eu-west-1"), keys: keys)
    guard try await verifier.isGenuine(request, at: Date()) else { return 403 }
    // snippet.end
    return 200
}
