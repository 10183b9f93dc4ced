import Expectations
import InterceptorKit
import Testing

@Suite("Call.credentialFields")
struct CredentialFieldsTests {
    @Test("has each name once, whatever the case of its letters")
    func names() {
        let call = Call().credentialFields(adding: ["Authorization", "X-Key"])

        let more = call.credentialFields(adding: ["x-key", "DPoP"])

        expectEqual(call.credentialFields, ["Authorization", "X-Key"])
        expectEqual(more.credentialFields, ["Authorization", "X-Key", "DPoP"])
    }

    @Test("tells each observer above, even of a credential in no field")
    func observers() {
        let (first, second, late) = (
            CredentialObserver(), CredentialObserver(), CredentialObserver()
        )
        let call = Call().addingCredentialObserver(first).addingCredentialObserver(second)
        let before = first.hasSeenCredential

        let attached = call.credentialFields(adding: [])
        _ = attached.addingCredentialObserver(late)

        expectTrue(!before)
        expectTrue(first.hasSeenCredential && second.hasSeenCredential)
        expectTrue(!late.hasSeenCredential)
        expectTrue(attached.credentialFields.isEmpty)
    }
}
