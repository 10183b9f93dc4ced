import Expectations
import InterceptorKit
import Testing

@Suite("StructuredFieldParser")
struct StructuredFieldParserTests {
    typealias Field = HTTP.StructuredField

    @Test(
        "reports where a text breaks which rule",
        arguments: [
            ("a=1,", 4, HTTP.FieldError.Code.unexpectedEnd, "4.2.2"),
            ("a=1 b", 4, .unexpectedCharacter, "4.2.2"),
            ("A=1", 0, .unexpectedCharacter, "4.2.3.3"),
            ("a=1.", 2, .invalidNumber, "4.2.4"),
            ("a=-", 3, .unexpectedEnd, "4.2.4"),
            ("a=1234567890123456", 2, .invalidNumber, "4.2.4"),
            ("a=\"b", 4, .unexpectedEnd, "4.2.5"),
            ("a=\"\t\"", 3, .invalidString, "4.2.5"),
            ("a=\"\\n\"", 4, .invalidString, "4.2.5"),
            ("a=:AQ", 5, .unexpectedEnd, "4.2.7"),
            ("a=:A.:", 3, .invalidBytes, "4.2.7"),
            ("a=?2", 3, .unexpectedCharacter, "4.2.8"),
            ("a=@1.5", 3, .invalidDate, "4.2.9"),
            ("a=%\"%ff\"", 2, .invalidDisplayString, "4.2.10"),
            ("a=%\"%C3\"", 5, .invalidDisplayString, "4.2.10"),
            ("a=(1\"x\")", 4, .unexpectedCharacter, "4.2.1.2"),
            ("a=(1", 4, .unexpectedEnd, "4.2.1.2"),
            ("a=é", 2, .unexpectedCharacter, "4.2.3.1"),
        ]
    )
    func refusals(
        text: String,
        position: Int,
        code: HTTP.FieldError.Code,
        section: String
    ) {
        let error = #expect(throws: HTTP.FieldError.self) {
            try Field.Dictionary(parsing: text)
        }

        expectEqual(error?.position, position)
        expectEqual(error?.code, code)
        expectEqual(error?.section, section)
    }
}
