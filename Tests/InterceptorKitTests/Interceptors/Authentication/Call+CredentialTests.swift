import Testing

@testable import InterceptorKit

@Suite("Call and credentials")
struct CallCredentialTests {
    @Test("counts all that could give a request a credential")
    func bare() throws {
        let call = Call()

        let first = try #require(call.candidates(adding: nil))
        #expect(first.isOne)
        let second = try #require(call.offering(first).candidates(adding: nil))

        #expect(second === first)
        #expect(!first.isOne)
    }

    @Test("counts one below that has a credential, for those above")
    func known() throws {
        let first = try #require(Call().candidates(adding: nil))

        let second = Call().offering(first).candidates(adding: .bearer("a1"))

        #expect(second == nil)
        #expect(!first.isOne)
    }

    @Test("has nobody to count for a request whose credential is known")
    func carried() {
        let call = Call().credentialFields(adding: ["Authorization"])

        #expect(call.candidates(adding: nil) == nil)
        #expect(Call().candidates(adding: .bearer("a1")) == nil)
    }

    @Test("keeps the count that it was given first")
    func offered() throws {
        let first = try #require(Call().candidates(adding: nil))
        let other = try #require(Call().candidates(adding: nil))

        let call = Call().offering(first).offering(other).offering(nil)
        _ = call.candidates(adding: nil)

        #expect(!first.isOne)
        #expect(other.isOne)
    }
}
