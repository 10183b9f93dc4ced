#if Hummingbird
import Expectations
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import InterceptorKit
import InterceptorKitHummingbird
import InterceptorKitTesting
import NIOCore
import TestRun
import Testing

@Suite(
    "Response bodies that interceptors read",
    .tags(.sockets),
    .serializedAcrossSuites,
    .timeLimit(.minutes(10))
)
struct SingleChunkChannelTests {
    @Test("are written no faster than they are read")
    func backPressure() async throws {
        let written = Notes<Int>()
        let ended = Notes<Bool>()
        let app = try application { _, _ in
            let body = ResponseBody { writer in
                defer { ended.note(true) }
                for number in 0..<1000 {
                    try await writer.write(ByteBuffer(repeating: 0x61, count: 65_536))
                    written.note(number)
                }
                try await writer.finish(nil)
            }
            return Response(status: .ok, body: body)
        } behind: {
            through { chain in
                let response = try await chain.proceed()
                var count = 0
                for try await _ in response.body {
                    count += 1
                    if count == 3 { break }
                }
                return HTTP.Response(200, body: .text("\(count)"))
            }
        }

        try await app.test(.router) { client in
            let response = try await client.execute(uri: "/", method: .get)
            expectEqual(String(buffer: response.body), "3")
        }

        // It is told that nobody reads, and ends.
        await ended.wait()
        expectTrue(written.entries.count <= 4)
    }
}
#endif
