import InterceptorKit
import InterceptorKitAWS
import InterceptorKitSigning
public import Measuring

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A typical GET, signed by a scheme, or what of it is hashing alone.
public enum Signing {
    /// - Parameter work: Does the work once and returns a length that it comes to.
    private static func workload(
        _ name: String,
        _ work: @escaping @Sendable () throws -> Int
    ) throws -> Workload {
        Workload(name, answer: try work()) { count in
            var sum = 0
            for _ in 0..<count { sum += try work() }
            return sum
        }
    }

    private static let request = HTTP.Request.get(
        "https://api.example.eu-west-1.amazonaws.com/v1/orders/42?limit=10&after=2026-01-01",
        headers: ["Accept": "application/json", "Content-Type": "application/json"]
    )
    private static let key = SigningKey(
        id: "AKIDEXAMPLE",
        secret: "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY".utf8
    )
    private static let context = SigningContext(
        key: key,
        freshness: SignatureFreshness(
            date: Date(timeIntervalSince1970: 1_700_000_000),
            nonce: "00112233445566778899aabbccddeeff"
        ),
        bodyHash: HashAlgorithm.sha256.hash([])
    )

    /// Every scheme, and parts of two.
    public static func all() throws -> [Workload] {
        let aws = AWSSignatureV4(service: "execute-api", region: "eu-west-1")
        let texts = try aws.explain(request, context)
        let canonical = Array((texts.canonicalRequest ?? "").utf8)
        let text = Array(texts.stringToSign.utf8)
        let started = RunningHMAC(.sha256, key: HashAlgorithm.sha256.hash([]))
        let message = MessageSignatureScheme()
        let schemes: [(String, any SignatureScheme)] = [
            ("SigV4", aws), ("SigV4, S3", .s3(region: "eu-west-1")), ("RFC 9421", message),
            ("HMACScheme", HMACScheme()),
            ("template, ACS3", .aliyunACS3), ("template, TC3", .tencentTC3(service: "cvm")),
            ("template, webhook", .webhook()), ("template, OAuth 1.0a", .oauth1()),
        ]
        let parameters = try Self.parameters(of: message)
        let signable = SignableMessage.request(request)
        let base = Array(try signable.signatureBase(parameters).utf8)
        let secret = Array("wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY".utf8)
        let startedBySecret = RunningHMAC(.sha256, key: secret)
        let messageHashing = try workload("hashing of RFC 9421 alone") {
            var code = startedBySecret
            code.update(base)
            return code.finalize().count
        }
        let messageText = try workload("text of RFC 9421 alone") {
            try signable.signatureBase(parameters).utf8.count
        }
        let hashing = try workload("hashing of SigV4 alone") {
            let digest = HashAlgorithm.sha256.hash(canonical)
            var code = started
            code.update(text)
            return digest.count + code.finalize().count
        }
        return [hashing, messageHashing, messageText]
            + (try schemes.map { name, scheme in
                try workload(name) { try scheme.sign(request, context).headers.count }
            })
    }

    /// What RFC 9421's signature of the request says of itself.
    private static func parameters(of scheme: MessageSignatureScheme) throws -> SignatureParameters
    {
        let signed = try scheme.sign(request, context)
        let input = signed.headers["Signature-Input"]?.dropFirst("sig=".count) ?? ""
        return try SignatureParameters(parsing: String(input))
    }
}
