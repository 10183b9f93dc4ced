import InterceptorKit

extension AWSSignatureV4 {
    /// The last line of a canonical request.
    enum PayloadHash {
        /// The hash that the request states, or a keyword for a payload that is not hashed.
        case stated(String)
        case digest(HashAlgorithm.Digest)

        var text: String {
            switch self {
            case .stated(let text): text
            case .digest(let digest): digest.hexadecimal
            }
        }
    }

    static let unsignedPayload = "UNSIGNED-PAYLOAD"

    /// The keyword for a payload that is signed in chunks.
    var streamingPayload: String { "STREAMING-" + algorithmName + "-PAYLOAD" }

    func payloadHash(
        of request: HTTP.Request,
        _ context: SigningContext
    ) throws -> PayloadHash {
        if let stated = request.headers[names.contentHashField] { return .stated(stated) }
        switch effectivePayload {
        case .unsigned: return .stated(Self.unsignedPayload)
        case .chunked: return .stated(streamingPayload)
        case .signed:
            if let hash = context.bodyHash, hash.count == HashAlgorithm.sha256.digestSize {
                return .digest(hash)
            }
            guard let data = request.body.inMemory else {
                throw SigningError(
                    .unsignableBody,
                    "The body is not in memory and the context has no SHA-256 of it, so a SigV4 "
                        + "signature cannot cover it. Give the hash, or sign chunks or no payload."
                )
            }
            return .digest(HashAlgorithm.sha256.hash(data))
        }
    }
}
