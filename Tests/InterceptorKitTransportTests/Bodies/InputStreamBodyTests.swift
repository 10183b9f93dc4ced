import Expectations
import Foundation
import InterceptorKit
import InterceptorKitTesting
import TestRun
import Testing

@testable import InterceptorKitTransport

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite("InputStreamBody", .tags(.sockets), .serializedAcrossSuites, .timeLimit(.minutes(10)))
struct InputStreamBodyTests {
    @Test("has all the bytes of its stream, and gives them once")
    func bodyStream() async throws {
        let content = Data((0..<200_000).map { UInt8(truncatingIfNeeded: $0) })
        var urlRequest = try URLRequest(.post("http://example.com"))
        urlRequest.httpBodyStream = InputStream(data: content)

        let body = try HTTP.Request(urlRequest).body

        expectTrue(!body.isReplayable)
        try await expectEqual(body.collect(), content)
        await #expect(throws: HTTP.ContentError.self) { try await body.collect() }
    }

    // Opening and reading a pipe wait for its other end; more of them than there are threads for tasks.
    @Test("holds no call past its deadline when many wait for a pipe")
    func inputStreams() async throws {
        let server = try LoopbackServer { _ in .status(200) }
        let transport = URLSessionTransport()
        let folder = try TemporaryFolder()
        let pipe = folder.path + "/pipe"
        expectEqual(unsafe mkfifo(pipe, 0o600), 0)
        let url = try unwrap(URL(string: server.url("/").text))

        await withTaskGroup(of: TransportError.Code?.self) { group in
            for _ in 0..<16 {
                group.addTask { [transport] in
                    var request = URLRequest(url: url)
                    request.httpMethod = "PUT"
                    request.httpBodyStream = InputStream(fileAtPath: pipe)
                    let call = Call().withDeadline(within: .milliseconds(50))
                    do {
                        _ = try await transport.send(HTTP.Request(request), call: call)
                        return nil
                    } catch {
                        return (error as? TransportError)?.code
                    }
                }
            }
            for await code in group { expectEqual(code, .timedOut) }
        }

        // Releases the tasks that wait for it to be opened, and of those who read.
        let end = unsafe open(pipe, O_RDWR)
        close(end)
        expectEqual(server.connectionCount, 0)
    }
}
