/// The reason why a redirect is not followed, without its number in the call.
struct RedirectProblem: Error {
    let code: RedirectError.Code
    let reason: String

    static func tooMany(_ limit: Int) -> RedirectProblem {
        RedirectProblem(
            code: .tooMany,
            reason:
                "\(limit == 1 ? "1 is" : "\(limit) are") followed at most. Raise the limit if the "
                + "target needs more."
        )
    }

    static let loop = RedirectProblem(
        code: .loop,
        reason: "It leads back to a request that was made before, with no cookie set since. Set "
            + "allowsRepeats if the response may change by itself."
    )

    static let downgrade = RedirectProblem(
        code: .downgrade,
        reason:
            "It leads from https to http, where anyone on the path can read the request. Ask the server "
            + "for https, or set allowsDowngrade."
    )

    static let severalTargets = RedirectProblem(
        code: .invalidTarget,
        reason: "It has several Location fields that differ."
    )

    static func invalidTarget(_ problem: String) -> RedirectProblem {
        RedirectProblem(code: .invalidTarget, reason: "Its Location is not a URL: \(problem).")
    }

    static let cannotBeSent = RedirectProblem(
        code: .invalidTarget,
        reason: "The request for its target cannot be sent as the policy's prepare has changed it."
    )

    static func unsupportedScheme(_ scheme: String) -> RedirectProblem {
        RedirectProblem(
            code: .unsupportedScheme,
            reason:
                "It leads to the scheme \(HTTP.printable(scheme)); only http and https are followed."
        )
    }

    static let bodyCannotBeSentAgain = RedirectProblem(
        code: .bodyCannotBeSentAgain,
        reason:
            "The target wants the body as well, which can be read once and was sent. Use a body "
            + "that can be sent again."
    )

    static let bodyAcrossOrigins = RedirectProblem(
        code: .bodyAcrossOrigins,
        reason:
            "The target is another origin and wants the body as well. Name it in trustedOrigins, "
            + "or set sendsBodiesAcrossOrigins."
    )
}
