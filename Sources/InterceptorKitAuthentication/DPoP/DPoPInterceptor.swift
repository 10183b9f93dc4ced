public import InterceptorKit
import InterceptorKitConcurrency
import Synchronization

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Proves with each attempt that the sender has the key of a bound token (RFC 9449), so that a stolen token
/// is useless.
///
/// ```swift
/// let proofs = DPoPInterceptor(key: key, origins: ["https://api.example.com"])
/// ```
///
/// Put one into the chain of the API, below `TokenInterceptor`, and one into that of the ``TokenEndpoint``,
/// which then returns DPoP tokens. It learns a server's nonce from any of its responses, by origin; a request
/// refused without one is sent once more (`use_dpop_nonce`), and once again if the server has a newer one then: its
/// nonces may change in between, and its machines may have different ones.
///
/// A proof goes only to the listed origins. An existing proof in a request is replaced, because it may be
/// used only once.
public struct DPoPInterceptor: Interceptor {
    /// How often a request is sent again with a newer nonce: 2, for one that changes in between.
    private static let replayLimit = 2

    private let key: DPoPKey
    private let origins: [HTTP.Origin]
    private let nonces = DPoPNonces()

    /// Creates an interceptor.
    /// - Parameters:
    ///   - key: The key that tokens are bound to.
    ///   - origins: The only origins that get proofs. Building a pipeline fails with invalid text or an empty
    ///     list.
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
                from: "DPoPInterceptor",
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
        call.emit(.signed, from: "DPoPInterceptor", ["key.id": .text(key.thumbprint)])
        return try await chain.proceed(request, call: call)
    }

    /// The nonce to use from now on (RFC 9449 section 8.1); one that cannot be sent in a proof is ignored.
    private static func nonce(of response: HTTP.Response) -> String? {
        guard let nonce = response.headers["DPoP-Nonce"], 1...1024 ~= nonce.utf8.count,
            nonce.utf8.allSatisfy({ 0x21...0x7E ~= $0 && $0 != 0x22 && $0 != 0x5C })
        else { return nil }
        return nonce
    }

    // A resource server sends it in a challenge, an authorization server in its response (section 8), some of
    // them with 401.
    private static func wantsNonce(_ response: HTTP.Response, _ call: Call) async -> Bool {
        guard response.status == 400 || response.status == 401 else { return false }
        let codes = response.headers.challenges().compactMap(\.bearerError)
        if response.status == 401, !codes.isEmpty { return codes.contains(.useDPoPNonce) }
        return await (try? beginning(of: response, call))?.whole
            .flatMap { try? JSONDecoder().decode(TokenErrorResponse.self, from: $0) }?.error
            == HTTP.Challenge.BearerError.useDPoPNonce.description
    }

    // As long as an error filter looks.
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

/// The nonce that each origin wants to see next; bounded by the interceptor's list of origins.
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
