import Expectations
import InterceptorKit
import InterceptorKitStreaming
import TestRun
import TestSupport
import Testing

private let readers = [
    ScaleReader("events") { text in
        let headers: HTTP.Headers = ["Content-Type": "text/event-stream"]
        let response = HTTP.Response(200, headers: headers, body: .text(text))
        do { for try await _ in response.events() {} } catch {}
    },
    ScaleReader("events' type", from: "text/event-stream") { text in
        let headers = HTTP.Headers([("Content-Type", text)])
        do {
            for try await _ in HTTP.Response(200, headers: headers, body: "data: x\n\n").events() {}
        } catch {}
    },
    ScaleReader("lines") { text in
        do { for try await _ in HTTP.Body.text(text).lines {} } catch {}
    },
    ScaleReader("JSON lines") { text in
        do {
            for try await _ in HTTP.Body.text(text).jsonLines(
                of: JSONValue.self,
                onInvalid: { _ in }
            ) {}
        } catch {}
    },
]

@Suite("A stream of 64 KiB", .tags(.slow), .serializedAcrossSuites)
struct StreamScaleTests {
    @Test("is read in a time that grows with its length alone", arguments: readers.indices)
    func scale(index: Int) async throws {
        try await expectEqual(readers[index].worseThanLinear(), [])
    }
}
