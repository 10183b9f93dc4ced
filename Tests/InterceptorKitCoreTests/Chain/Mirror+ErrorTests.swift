import InterceptorKit
import TestSupport
import Testing

@Suite("Mirror of an error")
struct MirrorErrorTests {
    private struct Leaky: Error { let url = "https://user:s3cret@host/" }

    @Test(
        "shows the type of a cause and nothing that it holds",
        arguments: [
            TransportError(.other, "It failed.", cause: Leaky()),
            TimeoutError(.attempt, limit: .seconds(1), cause: Leaky()),
            PipelineError(.invalidSetting, "It cannot work.", cause: Leaky()),
        ] as [any Error]
    )
    func cause(error: any Error) {
        var dumped = ""
        dump(error, to: &dumped)

        #expect(dumped.contains("Leaky"))
        #expect(dumped.contains("\(error)"))
        #expect(!dumped.contains("s3cret"))
    }

    @Test("says if there is no cause, and hides secrets in the description")
    func description() {
        let error = TransportError(.cannotConnect, "Refused by https://user:s3cret@host/.")

        let children = Mirror(reflecting: error).children.map { "\($0.label ?? ""): \($0.value)" }

        #expect(
            children == [
                "code: cannot connect", "description: Refused by https://██@host/.", "cause: nil",
            ]
        )
    }
}
