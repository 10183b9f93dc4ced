import Expectations
import InterceptorKit
import InterceptorKitStreaming
import TestSupport
import Testing

@Suite("The events of a response")
struct ResponseEventsTests {
    @Test("throw what the response makes of a failure to read them")
    func mapped() async throws {
        var response = HTTP.Response(200, headers: ["Content-Type": "text/plain"], body: "data: x")
        response.onDecodingFailure = { Problem(text: "\(type(of: $0))") }
        let events = response.events()

        let error = await #expect(throws: Problem.self) { for try await _ in events {} }
        expectEqual(error?.text, "StreamingError")
    }
}
