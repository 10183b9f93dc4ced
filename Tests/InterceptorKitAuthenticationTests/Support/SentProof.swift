import Expectations
import Foundation
import Testing

@testable import InterceptorKit
@testable import InterceptorKitAuthentication

/// A proof as a request carries it.
struct SentProof {
    var header: [String: Any]
    var claims: [String: Any]
    var isSigned: Bool

    init(_ request: HTTP.Request) throws {
        let text = try unwrap(request.headers["DPoP"])
        let parts = text.split(separator: ".").map(String.init)
        func json(_ part: String) throws -> [String: Any] {
            let data = Data(try unwrap(Base64.decode(Array(part.standardBase64.utf8))))
            return try unwrap(JSONSerialization.jsonObject(with: data) as? [String: Any])
        }
        header = try json(parts[0])
        claims = try json(parts[1])
        let signature = try HashSigner().signature(of: Array("\(parts[0]).\(parts[1])".utf8))
        isSigned = parts[2] == Base64URL.encode(signature)
    }

    subscript(name: String) -> String? { claims[name] as? String }
}

extension String {
    /// The same in the usual alphabet.
    var standardBase64: String {
        String(map { $0 == "-" ? "+" : $0 == "_" ? "/" : $0 })
    }
}
