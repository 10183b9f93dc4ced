public import InterceptorKit
import InterceptorKitConcurrency
import Synchronization

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Sends a proof of the key of a bound token with each attempt (RFC 9449), so that a stolen token is useless.
///
/// ```swift
/// let proofs = DPoPInterceptor(key: key, origins: ["https://api.example.com"])
/// ```
///
/// Put one into the chain of the API, below `TokenInterceptor`, and one into that of the ``TokenEndpoint``, which then
/// returns DPoP tokens. The interceptor takes the nonce for an origin from any of its responses. A request that is
/// refused for lack of a nonce (`use_dpop_nonce`) is sent once more, and a second time if the server then has a newer
/// nonce: nonces change over time, and the server's machines may have different ones.
///
/// Proofs go only to the listed origins. An existing proof is replaced, because a proof may be used only once.
public struct DPoPInterceptor: Interceptor {
    /// Two, because the nonce may change between the first and the second response.
    private static let replayLimit = 2

    private let key: DPoPKey
    private let origins: [HTTP.Origin]
    private let nonces = DPoPNonces()

    /// Creates an interceptor.
    /// - Parameters:
    ///   - key: The key that tokens are bound to.
    ///   - origins: The only origins that get proofs. Building a pipeline fails with an invalid origin or none.
    public init(key: DPoPKey, origins: [HTTP.Origin]) {
        self.key = key
        self.origins = origins
    }

    public var placement: Placement? { .signing }

    public func validate() throws {
        try SettingCheck(of: "DPoPInterceptor").origins(origins)
        _ = try key.algorithmName
    }

    public nonisolated(nonsending) func intercept(
        chain: InterceptorChain<HTTP.Request>
    ) async throws -> HTTP.Response {
        guard let origin = chain.input.url.origin, origins.contains(origin) else {
            return try await chain.proceed()
        }
        var used = nonces[origin]
        var response = try await send(chain, nonce: used)
        var replays = 0
        while let nonce = Self.nonce(of: response) {
            nonces[origin] = nonce
            guard nonce != used, replays < Self.replayLimit, chain.input.body.isReplayable,
                await Self.wantsNonce(response, chain.call)
            else { break }
            chain.call.emit(
                .credentialRejected,
                ["reason": .text("use_dpop_nonce")]
            )
            await response.discard(on: chain.call.runtime)
            used = nonce
            replays += 1
            response = try await send(chain, nonce: nonce)
        }
        return response
    }

    private nonisolated(nonsending) func send(
        _ chain: InterceptorChain<HTTP.Request>,
        nonce: String?
    ) async throws -> HTTP.Response {
        let runtime = chain.call.runtime
        let proof = DPoPProof(key: key, request: chain.input, nonce: nonce)
        let text = try proof.text(at: runtime.date, id: runtime.randomBytes(16))
        var request = chain.input
        request.headers["DPoP"] = text
        let call = chain.call.credentialFields(adding: ["DPoP"])
        call.emit(.signed, ["key.id": .text(key.thumbprint)])
        return try await chain.proceed(request, call: call)
    }

    /// Returns the nonce for later requests (RFC 9449 section 8.1); `nil` if a proof cannot contain it.
    private static func nonce(of response: HTTP.Response) -> String? {
        guard let nonce = response.headers["DPoP-Nonce"], 1...1024 ~= nonce.utf8.count,
            nonce.utf8.allSatisfy({ 0x21...0x7E ~= $0 && $0 != 0x22 && $0 != 0x5C })
        else { return nil }
        return nonce
    }

    // Resource servers say so in a challenge, authorization servers in the response body (section 8), some with 401.
    private static func wantsNonce(_ response: HTTP.Response, _ call: Call) async -> Bool {
        guard response.status == 400 || response.status == 401 else { return false }
        let codes = response.headers.challenges().compactMap(\.bearerError)
        if response.status == 401, !codes.isEmpty { return codes.contains(.useDPoPNonce) }
        return await (try? beginning(of: response, call))?.whole
            .flatMap { try? JSONDecoder().decode(TokenErrorResponse.self, from: $0) }?.error
            == HTTP.Challenge.BearerError.useDPoPNonce.description
    }

    // Reads as much as an error filter does.
    private static func beginning(
        of response: HTTP.Response,
        _ call: Call
    ) async throws -> HTTP.Body.Beginning {
        try await response.body.beginning(
            upTo: TokenEndpoint.responseLimit,
            within: min(.seconds(10), call.remaining ?? .seconds(10)),
            on: call.runtime
        )
    }
}

/// The newest nonce of each origin. The interceptor's list of origins bounds its size.
private final class DPoPNonces: Sendable {
    private let nonces = Lock<[HTTP.Origin: String]>([:])

    subscript(origin: HTTP.Origin) -> String? {
        get { nonces.withLock { $0[origin] } }
        set { nonces.withLock { $0[origin] = newValue } }
    }
}

extension DPoPInterceptor: CredentialScope {
    package var credentialOrigins: [HTTP.Origin]? { origins }
}
