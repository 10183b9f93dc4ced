#if JWT
import Foundation
import InterceptorKit

@testable import InterceptorKitJWT

/// A request with a token, and what a service answers by the rules.
struct BearerCase: Sendable {
    /// What a service answers.
    enum Answer: Sendable, Equatable {
        case served
        /// The status, the error in the challenge of the scheme that was used, and the reason in the service's log.
        case refused(Int, String?, String)

        static func invalidToken(_ reason: String) -> Self {
            .refused(401, "invalid_token", reason)
        }
        static func invalidProof(_ reason: String) -> Self {
            .refused(401, "invalid_dpop_proof", reason)
        }
    }

    /// A service's settings.
    enum Service: Sendable {
        /// The default settings, without proofs.
        case bearer
        /// Tokens of both schemes, and certificates.
        case bound
        /// Proofs with nonces alone.
        case nonces
        /// Tokens of older issuers.
        case relaxed
        /// The scope `orders:delete`, and a sign-in by `mfa` in the last minute.
        case strict
    }

    let name: String
    let answer: Answer
    let service: Service
    let request: @Sendable (BearerWorld) -> HTTP.Request

    init(
        _ name: String,
        _ answer: Answer,
        at service: Service = .bearer,
        _ request: @escaping @Sendable (BearerWorld) -> HTTP.Request
    ) {
        self.name = name
        self.answer = answer
        self.service = service
        self.request = request
    }

    /// Sends the request, and returns what is answered.
    func answered(in world: BearerWorld) async throws -> Answer {
        let service = try world.service(try await service.interceptor(world))
        let request = request(world)
        let response = try await service.run(request)
        guard response.status != 200 else { return .served }
        let errors = response.headers.challenges().compactMap { $0.bearerError?.description }
        return .refused(response.status.code, errors.first, world.reasons.last ?? "")
    }
}

extension BearerCase.Service {
    fileprivate func interceptor(_ world: BearerWorld) async throws -> BearerTokenInterceptor {
        switch self {
        case .bearer: BearerTokenInterceptor(try await world.verifier())
        case .bound:
            BearerTokenInterceptor(
                try await world.verifier(),
                dpop: DPoPVerification(),
                certificate: .field
            )
        case .nonces:
            BearerTokenInterceptor(
                try await world.verifier(),
                dpop: DPoPVerification(nonces: world.nonces, isRequired: true)
            )
        case .relaxed:
            BearerTokenInterceptor(
                JSONWebTokenVerifier(
                    issuer: BearerWorld.issuer,
                    audience: nil,
                    keys: try await JSONWebKeySet(json: world.keySet),
                    types: ["JWT", ""],
                    requiring: [],
                    scopes: ["scope", "scp"]
                ),
                requiring: AccessRequirement(scopes: ["orders:read"])
            )
        case .strict:
            BearerTokenInterceptor(
                try await world.verifier(),
                requiring: AccessRequirement(
                    scopes: ["orders:delete"],
                    authenticationContexts: ["mfa"],
                    maximumAge: .seconds(60)
                )
            )
        }
    }
}
#endif
