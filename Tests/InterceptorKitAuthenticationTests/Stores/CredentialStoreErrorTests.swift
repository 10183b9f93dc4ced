import Expectations
import TestSupport
import Testing

@testable import InterceptorKit
@testable import InterceptorKitAuthentication

@Suite("CredentialStoreError")
struct CredentialStoreErrorTests {
    @Test(
        "asks for a sign-in where no process can refresh, and may resume",
        arguments: [
            (.refreshOutcomeUnknown, true), (.signInRequired, true), (.superseded, false),
            (.corrupt, false), (.unsafeFile, false), (.cannotRead, false), (.cannotWrite, false),
            (.lockTimedOut, false), (.unreachable, false), (.malformedResponse, false),
            (CredentialStoreError.Code(description: "own"), false),
        ] as [(CredentialStoreError.Code, Bool)]
    )
    func session(code: CredentialStoreError.Code, requiresSignIn: Bool) {
        let error = CredentialStoreError(code, "No.")

        expectEqual(error.requiresSignIn, requiresSignIn)
        expectEqual(error.endsSession, code == .signInRequired)
        expectTrue(error.canResume)
    }

    @Test("keeps its cause, and shows only the type of it")
    func cause() {
        let cause = Problem(text: "s3cret")
        for error in [
            CredentialStoreError.refreshOutcomeUnknown(after: cause), .signInRequired(by: cause),
        ] {
            var dumped = "\(error)"
            dump(error, to: &dumped)

            expectEqual(error.cause as? Problem, cause)
            expectTrue(dumped.contains("Problem"))
            expectTrue(!dumped.contains("s3cret"))
        }
    }
}
