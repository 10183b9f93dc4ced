import Expectations
import InterceptorKit
import InterceptorKitSigning
import Testing

@Suite("MessageComponent")
struct MessageComponentTests: ComponentSuite {
    @Test("writes components as in RFC 9421 section 2")
    func written() {
        let field: MessageComponent = "X-Note"
        let components = [
            field, field.key("a"), field.structured, field.bytes, field.inTrailers,
            field.ofRequest, .queryParameter("a b"), .requestTarget, .scheme,
        ]

        expectEqual(
            components.map(\.description),
            [
                #""x-note""#, #""x-note";key="a""#, #""x-note";sf"#, #""x-note";bs"#,
                #""x-note";tr"#, #""x-note";req"#, #""@query-param";name="a%20b""#,
                #""@request-target""#, #""@scheme""#,
            ]
        )
    }

    @Test(
        "refuses unreadable identifiers, and those with invalid parameters",
        arguments: [
            #""x";sf=1"#, #""x";key"#, #""x";key=1"#, #""@method";req=?0"#, #""x";tr="a""#, "x",
            "1",
            #""x"#, #""@nothing""#, #""x";future"#,
        ]
    )
    func identifiers(text: String) {
        expectEqual(error { try "\(MessageComponent(parsing: text))" }?.code, .invalidComponent)
    }

    @Test("is the same with its parameters in any order, and no other")
    func equality() throws {
        let field: MessageComponent = "X-Note"
        let parsed = try MessageComponent(parsing: #""x-note";tr;key="a""#)

        expectEqual(field.key("a").inTrailers, parsed)
        expectEqual(Set([field.key("a").inTrailers, field.inTrailers.key("a"), parsed]).count, 1)
        expectEqual(Set([field, field.inTrailers, field.key("a"), field.key("b")]).count, 4)
    }
}
