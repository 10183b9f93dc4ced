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
    "Response bodies that handlers write",
    .tags(.sockets),
    .serializedAcrossSuites,
    .timeLimit(.minutes(10))
)
struct WrittenBodyTests {
    @Test("throw alreadyRead when they are read a second time")
    func once() async throws {
        let app = try application { request, _ in
            let content = try await request.body.collect(upTo: 1024)
            return Response(status: .ok, body: ResponseBody(byteBuffer: content))
        } behind: {
            through { chain in
                _ = try await chain.proceed().body.collect()
                do {
                    let again = try await chain.proceed().body.collect()
                    return HTTP.Response(200, body: .bytes(again))
                } catch let error as HTTP.ContentError {
                    return HTTP.Response(409, body: .text("\(error.code)"))
                }
            }
        }

        try await app.test(.router) { client in
            let response = try await client.execute(
                uri: "/",
                method: .post,
                body: ByteBuffer(string: "eggs")
            )
            expectEqual(response.status, .conflict)
            expectEqual(String(buffer: response.body), "alreadyRead")
        }
    }

    @Test("keep their trailers", arguments: [true, false])
    func trailers(reads: Bool) async throws {
        let app = try application { _, _ in
            let body = ResponseBody { writer in
                try await writer.write(ByteBuffer(string: "seven"))
                try await writer.finish([HTTPField.Name("X-Sum")!: "7"])
            }
            return Response(status: .ok, body: body)
        } behind: {
            reading(reads)
        }

        try await app.test(.router) { client in
            let response = try await client.execute(uri: "/", method: .get)

            expectEqual(String(buffer: response.body), "seven")
            expectEqual(response.trailerHeaders?[HTTPField.Name("X-Sum")!], "7")
        }
    }
}
#endif
