#if JWT
import InterceptorKit

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The public keys of an issuer (RFC 7517 section 5).
public struct JSONWebKeySet: Sendable {
    private let known: [VerificationKey]

    /// Creates a set of fixed keys. Keys that cannot be used are left out.
    public init(json: Data) async throws {
        var known: [VerificationKey] = []
        if case .object(let members)? = JSONValue(exactly: json, depth: 32),
            case .array(let keys)? = members["keys"]
        {
            for case .object(let key) in keys {
                let texts = key.compactMapValues {
                    if case .string(let text) = $0 { text } else { nil }
                }
                guard let one = try? JSONEncoder().encode(texts) else { continue }
                if let key = await VerificationKey(json: one) { known.append(key) }
            }
        }
        self.known = known
    }

    func keys(for id: String?, algorithm: String, on call: Call) async throws -> [VerificationKey] {
        known.filter { (id == nil || $0.id == id) && $0.suits(algorithm) }
    }
}
#endif
