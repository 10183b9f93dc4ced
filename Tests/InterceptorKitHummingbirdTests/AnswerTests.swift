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
    "Responses of ChainMiddleware",
    .tags(.sockets),
    .serializedAcrossSuites,
    .timeLimit(.minutes(10))
)
struct AnswerTests {
    @Test("reach the caller as interceptors changed them", arguments: [true, false])
    func response(keepsContent: Bool) async throws {
        let app = try application { _, _ in
            Response(status: .created, body: ResponseBody(byteBuffer: ByteBuffer(string: "seven")))
        } behind: {
            through { chain in
                var response = try await chain.proceed()
                response.headers["X-Seen"] = "\(response.status.code)"
                if !keepsContent { response.body = "seventy-seven" }
                return response
            }
        }

        try await app.test(.router) { client in
            let response = try await client.execute(uri: "/", method: .get)

            expectEqual(response.status, .created)
            expectEqual(response.headers[HTTPField.Name("X-Seen")!], "201")
            expectEqual(String(buffer: response.body), (keepsContent ? "seven" : "seventy-seven"))
            expectEqual(response.headers[.contentLength], (keepsContent ? "5" : "13"))
        }
    }

    @Test("state no length of the content that a stream replaces")
    func staleLength() async throws {
        let app = try application { _, _ in
            Response(status: .ok, body: ResponseBody(byteBuffer: ByteBuffer(string: "seven")))
        } behind: {
            through { chain in
                var response = try await chain.proceed()
                response.headers["Content-Length"] = "5"
                response.body = .oneShot(Passed("seventy-seven"))
                return response
            }
        }

        try await app.test(.live) { client in
            let response = try await client.execute(uri: "/", method: .get)

            expectEqual(String(buffer: response.body), "seventy-seven")
            expectEqual(response.headers[.contentLength], nil)
        }
    }

    @Test("end the connection when they are shorter or longer than stated", arguments: [4, 6])
    func wrongLength(stated: Int) async throws {
        let app = try application { _, _ in
            Response(status: .ok)
        } behind: {
            through { _ in
                HTTP.Response(
                    200,
                    headers: ["Content-Length": "\(stated)"],
                    body: .oneShot(length: stated, Passed("seven"))
                )
            }
        }

        try await app.test(.live) { client in
            try await Wire.open(to: client.port) { reader, writer in
                try await writer.write(ByteBuffer(string: "GET / HTTP/1.1\r\nHost: a\r\n\r\n"))
                try? await reader.read(until: "nothing like this")

                expectTrue(reader.text.contains("\r\n\r\n"))
                expectTrue(!reader.text.hasSuffix("seven") || stated == 6)
            }
        }
    }

    @Test("end the connection but not the service when they fail midway")
    func failing() async throws {
        let app = try application { request, _ in
            if request.uri.path == "/fine" { return Response(status: .ok) }
            let body = ResponseBody(contentLength: 10) { writer in
                try await writer.write(ByteBuffer(string: "seven"))
                throw CancellationError()
            }
            return Response(status: .ok, body: body)
        } behind: {
            reading(true)
        }

        try await app.test(.live) { client in
            try await Wire.open(to: client.port) { reader, writer in
                try await writer.write(ByteBuffer(string: "GET / HTTP/1.1\r\nHost: a\r\n\r\n"))
                try? await reader.read(until: "nothing like this")

                expectTrue(reader.text.contains("Content-Length: 10"))
                expectTrue(reader.text.hasSuffix("seven"))
            }
            try await expectEqual(client.execute(uri: "/fine", method: .get).status, .ok)
        }
    }

    @Test("keep their Content-Length in the response to HEAD")
    func head() async throws {
        let app = try application { _, _ in
            Response(
                status: .ok,
                body: ResponseBody(byteBuffer: ByteBuffer(string: "seven"))
            ).createHeadResponse()
        } behind: {
            reading(true)
        }

        try await app.test(.router) { client in
            let response = try await client.execute(uri: "/", method: .head)

            expectEqual(response.headers[.contentLength], "5")
            expectEqual(response.body.readableBytes, 0)
        }
    }
}
#endif
