import Expectations
import Foundation
import InterceptorKit
import InterceptorKitAWS
import InterceptorKitAuthentication
import InterceptorKitCaching
import InterceptorKitConcurrency
import InterceptorKitInspection
import InterceptorKitSigning
import InterceptorKitTesting
import InterceptorKitTransfers
import Synchronization
import TestRun
import TestSupport
import Testing

private let date = Date(timeIntervalSince1970: 1_700_000_000)
private let key = SigningKey(id: "k", secret: Array("0123456789abcdef".utf8))
private let keys = FixedVerificationKeys([
    VerificationKey(id: "k", secret: Array("0123456789abcdef".utf8))
])

/// Sends two requests through an interceptor, to a server that answers with a field.
private func answered(
    _ field: String,
    _ status: HTTP.Status = 200,
    through interceptor: any Interceptor<HTTP.Request>
) -> @Sendable (String) async -> Void {
    { text in
        let transport = CannedTransport {
            var headers: HTTP.Headers = ["Cache-Control": "max-age=60"]
            headers[field] = text
            return HTTP.Response(status, headers: headers, body: "{}")
        }
        guard let pipeline = try? Pipeline([interceptor], transport: transport) else { return }
        for _ in 0..<2 {
            let response = try? await pipeline.run(.get("https://a.example/a"))
            _ = try? await response?.body.collect()
        }
    }
}

private func field(
    _ name: String,
    _ read: @escaping @Sendable (HTTP.Headers) -> Void
) -> @Sendable (String) async -> Void {
    { read(HTTP.Headers([(name, $0)])) }
}

private func request(
    _ name: String,
    _ read: @escaping @Sendable (HTTP.Request) async -> Void
) -> @Sendable (String) async -> Void {
    { await read(.post("https://a.example/", headers: HTTP.Headers([(name, $0)]), body: "{}")) }
}

private let readers: [ScaleReader] = [
    ScaleReader("HTTP.URL") { _ = HTTP.URL(unvalidated: $0).normalized },
    ScaleReader("resolved URL", from: "/") {
        _ = HTTP.URL(unvalidated: $0).resolved(against: "https://a.example/b/")
    },
    ScaleReader("query", from: "https://a.example/?") {
        let url = HTTP.URL(unvalidated: $0)
        _ = url.queryParameters
        _ = url.setting(parameter: "z", to: "1").removing(parameter: "a")
    },
    ScaleReader("JSONValue") { _ = JSONValue(parsing: Data($0.utf8)) },
    ScaleReader("exact JSONValue") { _ = JSONValue(exactly: Data($0.utf8), depth: 32) },
    ScaleReader("media type", field("Content-Type") { _ = $0.mediaType }),
    ScaleReader(
        "challenges",
        from: "Digest realm=\"a\", ",
        field("WWW-Authenticate") { _ = $0.challenges() }
    ),
    ScaleReader("Retry-After", field("Retry-After") { _ = $0.retryAfter(date: date) }),
    ScaleReader("HTTP date") { _ = HTTP.date($0, now: date) },
    ScaleReader("dictionary") { _ = try? HTTP.StructuredField.Dictionary(parsing: $0) },
    ScaleReader("list") { _ = try? HTTP.StructuredField.List(parsing: $0) },
    ScaleReader("item", from: "a;") { _ = try? HTTP.StructuredField.Item(parsing: $0) },
    ScaleReader("digests", from: "sha-256=:", to: ":") {
        _ = try? HTTP.IntegrityDigests(parsing: $0)
    },
    ScaleReader("printable") { _ = HTTP.printable($0) },
    ScaleReader("redacted text") { _ = Redaction.standard.text($0) },
    ScaleReader("redacted JSON") {
        _ = Redaction.standard.body(Data($0.utf8), of: ["Content-Type": "application/json"])
    },
    ScaleReader("redacted form") {
        _ = Redaction.standard.body(
            Data($0.utf8),
            of: ["Content-Type": "application/x-www-form-urlencoded"]
        )
    },
    ScaleReader("redacted URL", from: "https://a.example/") { _ = Redaction.standard.url($0) },
    ScaleReader("curl command") {
        _ = HTTP.Request.post("https://a.example/", body: .text($0)).curlCommand()
    },
    ScaleReader("Set-Cookie", from: "a=", answered("Set-Cookie", through: CookieInterceptor())),
    ScaleReader(
        "Set-Cookie attributes",
        from: "a=b; ",
        answered("Set-Cookie", through: CookieInterceptor())
    ),
    ScaleReader("Cookie date") {
        _ = HTTP.Cookie("a=b; Expires=" + $0, from: "https://a.example/", at: date)
    },
    ScaleReader("Location", from: "/", answered("Location", 302, through: RedirectInterceptor())),
    ScaleReader("error's type", answered("Content-Type", 500, through: ErrorFilterInterceptor())),
    ScaleReader(
        "problem",
        from: "application/problem+json",
        answered("Content-Type", 500, through: ErrorFilterInterceptor())
    ),
    ScaleReader(
        "Cache-Control",
        from: "max-age=60, ",
        answered("Cache-Control", through: CacheInterceptor(partition: .oneIdentity))
    ),
    ScaleReader(
        "private fields",
        from: "max-age=60, private=\"",
        to: "\"",
        answered("Cache-Control", through: CacheInterceptor(partition: .oneIdentity))
    ),
    ScaleReader(
        "Vary",
        from: "Accept, ",
        answered("Vary", through: CacheInterceptor(partition: .oneIdentity))
    ),
    ScaleReader(
        "ETag",
        from: "W/",
        answered("ETag", through: CacheInterceptor(partition: .oneIdentity))
    ),
    ScaleReader("Expires", answered("Expires", through: CacheInterceptor(partition: .oneIdentity))),
    ScaleReader("suggested filename", from: "attachment; filename=") {
        _ =
            HTTP.Response(200, headers: HTTP.Headers([("Content-Disposition", $0)]))
            .suggestedFilename
    },
    ScaleReader("archive", from: #"{"log":{"entries":["#) { _ = try? HAR(json: Data($0.utf8)) },
    ScaleReader(
        "signed components",
        from: "sig=(",
        to: ");created=1700000000;keyid=\"k\"",
        request("Signature-Input") {
            var request = $0
            request.headers["Signature"] = "sig=:YWJj:"
            let verifier = MessageSignatureVerifier(keys: keys, requiring: SignatureCoverage([]))
            _ = try? await verifier.verify(.request(request), at: date)
        }
    ),
    ScaleReader(
        "members of a dictionary",
        request("x") {
            var request = $0
            let names = (0..<60).map { "\"x\";key=\"k\($0)\"" }.joined(separator: " ")
            request.headers["Signature-Input"] = "sig=(\(names));created=1700000000;keyid=\"k\""
            request.headers["Signature"] = "sig=:YWJj:"
            let verifier = MessageSignatureVerifier(keys: keys, requiring: SignatureCoverage([]))
            _ = try? await verifier.verify(.request(request), at: date)
        }
    ),
    ScaleReader(
        "signature",
        from: "sig=:YWJj:, ",
        request("Signature") {
            var request = $0
            request.headers["Signature-Input"] = "sig=(\"@method\");created=1700000000;keyid=\"k\""
            _ = try? await MessageSignatureVerifier(keys: keys).verify(.request(request), at: date)
        }
    ),
    ScaleReader(
        "Stripe",
        from: "t=1700000000,v1=a,",
        request("Stripe-Signature") {
            _ = TemplateScheme.stripe().isGenuine($0, with: key, date: date)
        }
    ),
    ScaleReader(
        "HMACScheme",
        from: "keyid=\"k\",",
        request("X-Signature") { _ = HMACScheme().keyID(of: $0) }
    ),
    ScaleReader(
        "SigV4",
        from: "AWS4-HMAC-SHA256 Credential=AKID/20231114/us-east-1/s3/aws4_request, SignedHeaders=",
        request("Authorization") {
            _ = try? await AWSSignatureV4Verifier(.s3(region: "us-east-1"), keys: keys).verify(
                $0,
                at: date
            )
        }
    ),
    ScaleReader(
        "webhook",
        from: "v1,",
        request("webhook-signature") {
            var request = $0
            request.headers["webhook-id"] = "a"
            request.headers["webhook-timestamp"] = "1700000000"
            let verifier = StandardWebhookVerifier(keys: [
                VerificationKey(id: "k", secret: Array("0123456789abcdef".utf8))
            ])
            _ = try? await verifier.verify(request, at: date)
        }
    ),
    ScaleReader(
        "tracestate",
        field("tracestate") {
            var headers = $0
            headers["traceparent"] = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
            _ = HTTP.TraceContext(headers)
        }
    ),
]

@Suite("Text from outside, of 64 KiB", .tags(.slow), .serializedAcrossSuites)
struct ScaleTests {
    private static let worse = Lock<[Int: [String]]>([:])

    @Test("is read in a time that grows with its length alone", arguments: readers.indices)
    func scale(index: Int) async throws {
        let found = try await readers[index].worseThanLinear()
        expectEqual(found, [])
        let all = Self.worse.withLock { all in
            all[index] = found
            return all
        }
        expectTrue(ScalePattern.all.count > 80)
        guard all.count == readers.count else { return }
        print(
            "scale: \(readers.count) readers, \(ScalePattern.all.count) patterns, "
                + "\(all.values.joined().count) worse than linear"
        )
    }
}
