import InterceptorKit
import InterceptorKitTesting

extension TransportConformance.Requirement {
    static let interimResponses: [Self] = [
        interim("passes over 100", .text("final").preceded(by: 100)),
        interim("passes over 102", .text("final").preceded(by: 102)),
        interim(
            "passes over 103 and its fields",
            .text("final").preceded(by: 103, headers: ["Link": "</a>", "X-Early": "1"])
        ),
        interim(
            "passes over a response below 200 that it does not know",
            .text("final").preceded(by: 199)
        ),
        interim(
            "passes over several answers below 200",
            (0..<5).reduce(.text("final")) { reply, _ in reply.preceded(by: 103) }
        ),
        interim(
            "waits for the response that comes long after a 102",
            .text("final").preceded(by: 102).delayed(by: .milliseconds(80))
        ),
    ]

    private static func interim(_ name: String, _ reply: LoopbackServer.Reply) -> Self {
        Self(name) { context in
            let (head, body) = try await context.response(reply)

            try expect(head.status, is: 200, "The status")
            try expect(!head.headers.contains("X-Early"), "A field of the 103 is in the response.")
            try expect(String(decoding: body, as: UTF8.self), is: "final", "The body")
        }
    }
}
