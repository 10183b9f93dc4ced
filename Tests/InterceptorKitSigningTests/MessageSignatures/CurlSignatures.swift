import ConformanceVectors
import Foundation
import InterceptorKit
import InterceptorKitSigning
import InterceptorKitTesting
import TestSupport

struct CurlExamples: Decodable {
    let keys: [String: Key]
    let cases: [CurlExample]
    let error_cases: [CurlError]

    struct Key: Decodable {
        let secret_hex: String?
    }
}

struct CurlExample: Decodable {
    let name: String
    let request_index: Int
    let method: String
    let request_target: String
    let scheme: String
    let headers: [[String]]
    let body: String
    let signed: Bool
    let signature_params: String?
    let signature_base: String?
    let signature_base64: Data?
    let algorithm: String?

    /// Whether the base is the same, and the signature too where it is by a shared secret.
    func isRight(_ keys: [String: CurlExamples.Key]) async throws -> Bool {
        let message = VectorMessage(
            method: method,
            request_target: request_target,
            scheme: scheme,
            status: nil,
            headers: headers,
            trailers: nil,
            body: body
        )
        let parameters = try SignatureParameters(parsing: signature_params ?? "")
        let base = try await message.signable().signatureBase(parameters)
        guard base == signature_base else { return false }
        guard algorithm == "hmac-sha256", let signature_base64 else { return true }
        let secret = bytes(hexadecimal: keys["hmac"]?.secret_hex ?? "") ?? []
        let key = VerificationKey(id: parameters.keyID ?? "", secret: secret)
        return key.isValid(Array(signature_base64), for: Array(base.utf8))
    }

    /// Whether what curl sends without a signature is sent so: after a redirect to another origin, and
    /// where the caller signs. Here that is said for the call, since a message may have several.
    func isUnsigned() throws -> Bool {
        let host = headers.first { $0[0] == "Host" }?[1] ?? ""
        let url = HTTP.URL("\(raw: scheme)://\(raw: host)\(raw: request_target)")
        let isRedirected = request_index > 0
        let sent = try CurlExample.sent(
            .get(isRedirected ? "http://example.com:8000/" : url),
            redirectedTo: isRedirected ? url : nil
        ) { $0.signsRequest = isRedirected }
        guard let last = sent.last, last.url == url else { return false }
        return !last.headers.contains("Signature") && !last.headers.contains("Signature-Input")
            && sent.count == request_index + 1
            && (!isRedirected || sent[0].headers.contains("Signature"))
    }

    /// What a client of curl's settings sends.
    static func sent(
        _ request: HTTP.Request,
        redirectedTo target: HTTP.URL? = nil,
        by scheme: MessageSignatureScheme = MessageSignatureScheme(),
        keys: any SigningKeyStore = FixedSigningKeys([SigningKey(id: "k", secret: "s".utf8)]),
        configure: @escaping @Sendable (inout Call) -> Void = { _ in }
    ) throws -> [HTTP.Request] {
        try Simulation.run { simulation in
            let transport = web(
                target.map { [request.url.text: .redirect(to: $0.text)] } ?? [:]
            )
            let client = try simulation.client(transport) {
                RedirectInterceptor()
                SignInterceptor(RequestSigner(scheme, keys: Keys(store: keys)))
            }
            _ = try await client.send(request, configure: configure)
            return transport.sent.map(\.input)
        }
    }

    private struct Keys: SigningKeyStore {
        let store: any SigningKeyStore

        func key(id: String?) async throws -> SigningKey? { try await store.key(id: id) }
    }
}

/// A command that curl refuses, told by its test.
struct CurlError: Decodable {
    let origin: String
    let name: String

    /// Whether the same mistake sends nothing here, and fails with the error that names it.
    func isRefused() throws -> Bool {
        do {
            try make()
            return false
        } catch let error as SigningError {
            return error.code == expected
        } catch let error as PipelineError {
            return (error.cause as? SigningError)?.code == expected
        } catch is UnreadableKey {
            return expected == nil
        }
    }

    private var expected: SigningError.Code? {
        switch origin.suffix(4) {
        case "5008": .missingKey
        case "5009": .unfulfillable
        case "5019": .invalidComponent
        // The legacy spelling is a field's name here, which the request has not.
        case "5020": .missingField
        default: nil
        }
    }

    private func make() throws {
        let request = HTTP.Request.get("http://example.com/resource")
        switch origin.suffix(4) {
        case "5008":
            _ = try CurlExample.sent(request, keys: FixedSigningKeys([]))
        case "5009":
            var parameters = SignatureParameters([.method])
            parameters.algorithm = .rsaPSSSHA512
            let signatureRequest = SignatureRequest(label: "sig", parameters)
            _ = try CurlExample.sent(
                request,
                by: MessageSignatureScheme(fulfilling: signatureRequest)
            )
        case "5010":
            _ = try CurlExample.sent(request, keys: UnreadableKeys())
        case "5019":
            let scheme = MessageSignatureScheme(SignatureCoverage([.method, .method]))
            _ = try CurlExample.sent(request, by: scheme)
        default:
            let scheme = MessageSignatureScheme(SignatureCoverage([.method, "authority"]))
            _ = try CurlExample.sent(request, by: scheme)
        }
    }
}

private struct UnreadableKey: Error {}

private struct UnreadableKeys: SigningKeyStore {
    func key(id: String?) async throws -> SigningKey? { throw UnreadableKey() }
}
