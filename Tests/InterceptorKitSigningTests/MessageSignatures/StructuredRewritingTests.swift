import Expectations
import InterceptorKit
import InterceptorKitSigning
import Testing

@Suite("StructuredRewriting")
struct StructuredRewritingTests: ComponentSuite {
    @Test("has members of a dictionary, and fields in canonical form")
    func rewritten() throws {
        let fields: HTTP.Headers = [
            "X-Dict": "a=1,   b=(2   3);c , d", "X-List": "a,   b;c=1", "Priority": "u=1,   i=?1",
        ]

        try expectEqual(value(.field("x-dict").key("b"), fields), "(2 3);c")
        try expectEqual(value(.field("x-dict").key("d"), fields), "?1")
        try expectEqual(value(.field("x-list").structured, fields), "a, b;c=1")
        try expectEqual(value(.field("priority").structured, fields), "u=1, i")
    }

    @Test("refuses a field that doesn't have the declared form")
    func unreadable() {
        let fields: HTTP.Headers = [
            "X-Text": "no, (dictionary", "X-Dict": "a=1", "Priority": "(1 2)",
            "X-Either": "a, b, a",
        ]

        for component in [
            MessageComponent.field("x-text").key("a"), .field("x-text").structured,
            .field("priority").structured,
        ] {
            expectEqual(error { try value(component, fields) }?.code, .invalidComponent)
        }
        expectEqual(error { try value(.field("x-dict").key("b"), fields) }?.code, .missingField)
        // A dictionary has `a` once, a list twice: the two sides need not read the same.
        let either = error { try value(.field("x-either").structured, fields) }
        expectEqual(either?.code, .invalidComponent)
        expectEqual(either?.message.contains("a list and as a dictionary"), true)
    }
}
