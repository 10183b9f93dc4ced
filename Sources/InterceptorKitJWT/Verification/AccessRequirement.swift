#if JWT
public import InterceptorKit

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// What a service requires of a caller beyond a valid access token: scopes (RFC 6750 section 3.1), and how and when the
/// user signed in (RFC 9470).
public struct AccessRequirement: Sendable, Hashable {
    /// How far in the future a sign-in may be, by the clock of this service.
    private static let leeway: TimeInterval = 60

    /// The scopes that a token must have, all of them.
    public var scopes: Set<String>
    /// The ways to sign in (`acr`) of which one must have been used, the preferred one first. Empty for any.
    public var authenticationContexts: [String]
    /// The longest time since the user signed in (`auth_time`). `nil` for any.
    public var maximumAge: Duration?

    /// Creates a requirement.
    /// - Parameters:
    ///   - scopes: The scopes that a token must have. Defaults to none.
    ///   - authenticationContexts: The ways to sign in of which one must have been used. Defaults to any.
    ///   - maximumAge: The longest time since the user signed in. Defaults to any.
    public init(
        scopes: Set<String> = [],
        authenticationContexts: [String] = [],
        maximumAge: Duration? = nil
    ) {
        self.scopes = scopes
        self.authenticationContexts = authenticationContexts
        self.maximumAge = maximumAge
    }

    func validate(_ owner: String) throws(SettingError) {
        let check = SettingCheck(of: owner)
        for (name, values) in [
            ("scopes", Array(scopes)), ("authenticationContexts", authenticationContexts),
        ] {
            let wrong = values.first { !$0.isScope }
            try check.require(
                wrong == nil,
                name,
                HTTP.printable(wrong ?? ""),
                "names of printable ASCII characters without spaces, quotes and backslashes"
            )
        }
        if let maximumAge { try check.notNegative("maximumAge", maximumAge) }
    }

    /// Throws unless a token meets the requirement.
    func check(_ token: AccessToken, at date: Date) throws(AccessTokenError) {
        let lacking = scopes.subtracting(token.principal.scopes)
        guard lacking.isEmpty else {
            throw AccessTokenError(
                .insufficientScope,
                "The token lacks the scopes \(lacking.sorted().joined(separator: ", "))."
            )
        }
        let context = token.authenticationContext ?? ""
        let isEnough =
            authenticationContexts.isEmpty
            || authenticationContexts.contains { $0.utf8.elementsEqual(context.utf8) }
        guard isEnough else {
            throw AccessTokenError(
                .insufficientAuthentication,
                "The user signed in by \(HTTP.printable(context)), which is not enough."
            )
        }
        guard let maximumAge else { return }
        guard let time = token.authenticationTime,
            -Self.leeway...maximumAge.inSeconds ~= date.timeIntervalSince(time)
        else {
            throw AccessTokenError(
                .insufficientAuthentication,
                "The user signed in too long ago, or at a time that the token does not say."
            )
        }
    }

    /// The parameters of a challenge that ask for another sign-in (RFC 9470 section 3).
    var authenticationParameters: [(String, String)] {
        var parameters: [(String, String)] = []
        if !authenticationContexts.isEmpty {
            parameters.append(("acr_values", authenticationContexts.joined(separator: " ")))
        }
        if let maximumAge { parameters.append(("max_age", "\(maximumAge.components.seconds)")) }
        return parameters
    }
}

/// Requires more of some requests than the ``BearerTokenInterceptor`` above does of all, such as a scope for a part of
/// the routes.
///
/// Place it below that interceptor, which has to have verified the token: without it, every request is refused.
public struct AccessRequirementInterceptor: Interceptor {
    private let requirement: AccessRequirement

    /// Creates an interceptor.
    public init(_ requirement: AccessRequirement) { self.requirement = requirement }

    public func validate() throws { try requirement.validate("AccessRequirementInterceptor") }

    public nonisolated(nonsending) func intercept(
        chain: InterceptorChain<HTTP.Request>
    ) async throws -> HTTP.Response {
        let call = chain.call
        let admission = call[TokenAdmission.self]
        do throws(AccessTokenError) {
            guard let admission else {
                throw AccessTokenError(.missing, "No interceptor above has verified a token.")
            }
            try requirement.check(admission.token, at: call.runtime.date)
        } catch {
            call.emit(error)
            let challenges = admission?.challenges ?? TokenChallenges()
            return challenges.response(to: error, by: admission?.scheme, requirement)
        }
        return try await chain.proceed()
    }
}
#endif
