#if JWT
import InterceptorKit

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The keys of a set that can verify signatures.
struct KeyTable: Sendable {
    /// The largest set that is read, in bytes: a hundred RSA keys with their certificates take less.
    static let contentLimit = 512 * 1024
    /// The most keys that a set may have, so that reading them takes no more than a moment.
    private static let keyLimit = 1000
    /// The most keys that a token is tried with, because anyone can send tokens and each try takes a signature check.
    private static let candidateLimit = 8

    private let keys: [VerificationKey]
    private let keysByID: [String: [VerificationKey]]

    /// Reads a set (RFC 7517 section 5). Keys that cannot be used are left out.
    init(json: Data) async throws(AuthorizationServerError) {
        guard json.count <= Self.contentLimit,
            case .object(let members)? = JSONValue(parsing: json),
            case .array(let list)? = members["keys"], list.count <= Self.keyLimit
        else { throw .malformedKeys(upTo: Self.keyLimit, bytes: Self.contentLimit) }
        var keys: [VerificationKey] = []
        for case .object(let members) in list {
            if let key = await VerificationKey(members) { keys.append(key) }
        }
        guard !keys.isEmpty else { throw .noKeys(of: list.count) }
        self.keys = keys
        var keysByID: [String: [VerificationKey]] = [:]
        for key in keys { if let id = key.id { keysByID[id, default: []].append(key) } }
        self.keysByID = keysByID
    }

    /// Returns the keys that may have signed a token.
    /// - Parameters:
    ///   - id: The token's key id; `nil` for a token without one, which may be signed by any key.
    ///   - algorithm: The token's algorithm.
    func keys(for id: String?, _ algorithm: String) -> [VerificationKey] {
        let named = id.map { keysByID[$0] ?? [] } ?? keys
        return Array(named.lazy.filter { $0.suits(algorithm) }.prefix(Self.candidateLimit))
    }

    /// Whether the set has a key with an id, for whatever algorithm.
    func knows(_ id: String?) -> Bool { id.map { keysByID[$0] != nil } ?? false }
}
#endif
