import Expectations
import Testing

@testable import InterceptorKit

@Suite("Call and credentials")
struct CallCredentialTests {
    @Test("counts all that could give a request a credential")
    func bare() throws {
        let call = Call()

        let first = try unwrap(call.candidates(adding: nil))
        expectTrue(first.isOne)
        let second = try unwrap(call.offering(first).candidates(adding: nil))

        expectTrue(second === first)
        expectTrue(!first.isOne)
    }

    @Test("counts one below that has a credential, for those above")
    func known() throws {
        let first = try unwrap(Call().candidates(adding: nil))

        let second = Call().offering(first).candidates(adding: .bearer("a1"))

        expectTrue(second == nil)
        expectTrue(!first.isOne)
    }

    @Test("has nobody to count for a request whose credential is known")
    func carried() {
        let call = Call().credentialFields(adding: ["Authorization"])

        expectTrue(call.candidates(adding: nil) == nil)
        expectTrue(Call().candidates(adding: .bearer("a1")) == nil)
    }

    @Test("keeps the count that it was given first")
    func offered() throws {
        let first = try unwrap(Call().candidates(adding: nil))
        let other = try unwrap(Call().candidates(adding: nil))

        let call = Call().offering(first).offering(other).offering(nil)
        _ = call.candidates(adding: nil)

        expectTrue(!first.isOne)
        expectTrue(other.isOne)
    }
}
