import Expectations
import Testing

@testable import InterceptorKit
@testable import InterceptorKitSigning

@Suite("SignatureParameters")
struct SignatureParametersTests {
    @Test(
        "are written as they were read, in their order and with unknown ones",
        arguments: [
            "()", #"("@method" "x";sf);created=1;keyid="a\"b";future;expires=2"#,
            #"("x";key="a";tr);tag="t";future=:AQI=:;other=1.5;flag=?0"#,
        ]
    )
    func roundTrip(text: String) throws {
        try expectEqual(SignatureParameters(parsing: text).serialized(), text)
    }

    @Test(
        "are none if the text isn't one list in parentheses",
        arguments: ["", "1", "a", "(), ()", "(", #"("@method""#, "a=()"]
    )
    func malformed(text: String) {
        let error = #expect(throws: SigningError.self) { try SignatureParameters(parsing: text) }

        expectEqual(error?.code, .malformedParameters)
    }

    @Test("find a component listed twice, among few or many", arguments: [2, 16, 17, 40])
    func repeats(count: Int) throws {
        let components = (0..<count).map { MessageComponent.field("x-\($0)") }
        try SignatureParameters(components).checkForRepeats()

        for index in [0, (count - 1) / 2] {
            var repeated = components
            repeated[count - 1] = components[index]
            let error = #expect(throws: SigningError.self) {
                try SignatureParameters(repeated).checkForRepeats()
            }
            expectEqual(error?.code, .invalidComponent)
        }
    }

    @Test(
        "are refused with a known one of another type",
        arguments: [
            "created", #"created="1""#, "created=1.5", "expires=:AQ==:", "nonce=1", "nonce=n",
            "alg=?1", "keyid=:AQ==:", "tag",
        ]
    )
    func types(parameter: String) throws {
        let wrong = try SignatureParameters(parsing: "();\(parameter)")
        let right = try SignatureParameters(parsing: #"();created=1;nonce="n";future=n"#)

        try right.validateTypes()
        let error = #expect(throws: SigningError.self) { try wrong.validateTypes() }
        expectEqual(error?.code, .malformedParameters)
    }
}
