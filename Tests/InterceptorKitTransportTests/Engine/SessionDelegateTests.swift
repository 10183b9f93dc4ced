import Expectations
import InterceptorKit
import InterceptorKitTesting
import InterceptorKitTransport
import Synchronization
import TestRun
import Testing

@Suite("SessionDelegate", .tags(.sockets), .serializedAcrossSuites, .timeLimit(.minutes(10)))
struct SessionDelegateTests {
    private let transport = URLSessionTransport()

    @Test("delivers the large body of a Basic 401 whole")
    func largeUnauthorized() async throws {
        let server = try LoopbackServer { _ in
            .status(401, headers: ["WWW-Authenticate": "Basic realm=\"x\""], body: Content.large)
                .bodyDelayed(by: .milliseconds(5))
        }

        let response = try await transport.send(.get(server.url("/")), call: Call())
        let data = try await response.body.collect()

        expectEqual(response.status, 401)
        expectEqual(data, Content.large)
    }

    @Test("reports interim responses and delivers the final one")
    func interim() async throws {
        let server = try LoopbackServer { _ in
            .text("final").preceded(by: 103, headers: ["Link": "</a>"]).preceded(by: 102)
        }

        let interim = Interim()
        var call = Call()
        call.onInformational = { interim.note($0) }
        let response = try await transport.send(.get(server.url("/")), call: call)
        let text = try await response.text()

        expectEqual(response.status, 200)
        expectEqual(text, "final")
        expectEqual(interim.responses.map(\.status.code).sorted(), [102, 103])
        expectTrue(interim.responses.contains { $0.headers["Link"] == "</a>" })
    }
}

private final class Interim: Sendable {
    private let storage = Mutex<[HTTP.Response]>([])

    var responses: [HTTP.Response] { storage.withLock(\.self) }

    func note(_ response: HTTP.Response) { storage.withLock { $0.append(response) } }
}
