import Expectations
import Testing

@testable import InterceptorKit

@Suite("TokenError")
struct TokenErrorTests {
    @Test(
        "ends a session, or asks for a sign-in, by its code",
        arguments: [
            (.signInRequired, true, true), (.missingCredential, false, true),
            (.expiredCredential, false, true), (.signedOut, false, true),
            (.excessiveRefresh, false, true), (.refreshTimedOut, false, false),
            (.refreshCancelled, false, false), (.invalidCredential, false, false),
            (TokenError.Code(description: "own"), false, false),
        ] as [(TokenError.Code, Bool, Bool)]
    )
    func session(code: TokenError.Code, endsSession: Bool, requiresSignIn: Bool) {
        let error = TokenError(code, "No.")

        expectEqual(error.endsSession, endsSession)
        expectEqual(error.requiresSignIn, requiresSignIn)
    }

    @Test("says how many refreshes were too many, and in what time")
    func excess() {
        let error = TokenError.excessiveRefresh(7, .milliseconds(1500))

        expectEqual(error.code, .excessiveRefresh)
        expectTrue("\(error)".contains("rejected 7 credentials within 1.5 s"))
    }
}
