import Expectations
import Foundation
import InterceptorKit
import InterceptorKitTesting
import InterceptorKitTransport
import TestRun
import Testing

@Suite(
    "A request body that is a file",
    .tags(.sockets),
    .serializedAcrossSuites,
    .timeLimit(.minutes(10))
)
struct OutgoingRequestTests {
    private let transport = URLSessionTransport()

    @Test("is sent whole from behind a symbolic link")
    func symbolicLink() async throws {
        let folder = try TemporaryFolder()
        let server = try LoopbackServer { _ in .status(200) }
        let file = try folder.file("target", Content.large)
        let link = folder.path + "/link"
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: file)

        _ = try await transport.send(.put(server.url("/"), body: .file(link)), call: Call())

        expectEqual(server.requests.first?.body, Content.large)
    }

    #if os(Linux)
    @Test("is sent to its end where it states no size")
    func sizeless() async throws {
        let server = try LoopbackServer { _ in .status(200) }
        let content = FileManager.default.contents(atPath: "/proc/version")

        _ = try await transport.send(
            .put(server.url("/"), body: .file("/proc/version")),
            call: Call()
        )

        expectEqual(server.requests.first?.body, content)
    }
    #endif

    @Test("is refused without blocking when it is not a regular file")
    func irregular() async throws {
        let folder = try TemporaryFolder()
        let server = try LoopbackServer { _ in .status(200) }
        let pipe = folder.path + "/pipe"
        expectEqual(unsafe mkfifo(pipe, 0o600), 0)

        for path in [pipe, folder.path] {
            let error = await #expect(throws: HTTP.ContentError.self) {
                try await transport.send(.put(server.url("/"), body: .file(path)), call: Call())
            }
            expectEqual(error?.code, .unreadableFile)
        }
        expectEqual(server.connectionCount, 0)
    }
}
