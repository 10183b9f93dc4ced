#if Hummingbird
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import InterceptorKit
import InterceptorKitHummingbird
import InterceptorKitTesting
import NIOCore
import TestRun
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

@Suite(
    "Bodies through ChainMiddleware",
    .tags(.sockets),
    .serializedAcrossSuites,
    .timeLimit(.minutes(2))
)
struct ServingBodyTests {
    /// Has the chain look at every chunk, or none.
    private static func reading(_ reads: Bool) -> AnyInterceptor<HTTP.Request> {
        through { chain in
            guard reads else { return try await chain.proceed() }
            var request = chain.input
            request.body = .oneShot(length: request.body.length, Passed(request.body))
            var response = try await chain.proceed(request, call: chain.call)
            response.body = .oneShot(length: response.body.length, Passed(response.body))
            return response
        }
    }

    @Test("arrive whole in both directions", arguments: [0, 1, 65_536, 3_000_000], [true, false])
    func echo(size: Int, reads: Bool) async throws {
        let app = try application { request, _ in
            Response(status: .ok, body: ResponseBody(asyncSequence: request.body))
        } behind: {
            Self.reading(reads)
        }
        let content = ByteBuffer(bytes: (0..<size).map { UInt8(truncatingIfNeeded: $0) })

        for framework in [TestingSetup.router, .live] {
            let body = try await app.test(framework) { client in
                try await client.execute(uri: "/", method: .post, body: content).body
            }
            #expect(body == content)
        }
    }

    @Test("pass chunk by chunk as the chunks arrive", arguments: [true, false])
    func streaming(reads: Bool) async throws {
        let app = try application { request, _ in
            Response(status: .ok, body: ResponseBody(asyncSequence: request.body))
        } behind: {
            Self.reading(reads)
        }

        try await app.test(.live) { client in
            try await Wire.open(to: client.port) { reader, writer in
                let head = "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"
                try await writer.write(ByteBuffer(string: head + "3\r\none\r\n"))
                try await reader.read(until: "one")
                try await writer.write(ByteBuffer(string: "3\r\ntwo\r\n"))
                try await reader.read(until: "two")
                try await writer.write(ByteBuffer(string: "0\r\n\r\n"))
                try await reader.read(until: "\r\n0\r\n\r\n")

                #expect(reader.text.hasPrefix("HTTP/1.1 200"))
            }
        }
    }

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
            #expect(String(buffer: response.body) == "3")
        }

        // It is told that nobody reads, and ends.
        await ended.wait()
        #expect(written.entries.count <= 4)
    }

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
                } catch let error as HTTP.BodyError {
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
            #expect(response.status == .conflict)
            #expect(String(buffer: response.body) == "alreadyRead")
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
            Self.reading(reads)
        }

        try await app.test(.router) { client in
            let response = try await client.execute(uri: "/", method: .get)

            #expect(String(buffer: response.body) == "seven")
            #expect(response.trailerHeaders?[HTTPField.Name("X-Sum")!] == "7")
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
            Self.reading(true)
        }

        try await app.test(.live) { client in
            try await Wire.open(to: client.port) { reader, writer in
                try await writer.write(ByteBuffer(string: "GET / HTTP/1.1\r\nHost: a\r\n\r\n"))
                try? await reader.read(until: "nothing like this")

                #expect(reader.text.contains("Content-Length: 10"))
                #expect(reader.text.hasSuffix("seven"))
            }
            #expect(try await client.execute(uri: "/fine", method: .get).status == .ok)
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

                #expect(reader.text.contains("\r\n\r\n"))
                #expect(!reader.text.hasSuffix("seven") || stated == 6)
            }
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
            Self.reading(true)
        }

        try await app.test(.router) { client in
            let response = try await client.execute(uri: "/", method: .head)

            #expect(response.headers[.contentLength] == "5")
            #expect(response.body.readableBytes == 0)
        }
    }
}

/// Another body's chunks, so that somebody has looked at each.
private final class Passed: BodyStream, @unchecked Sendable {
    // Invariant behind `@unchecked Sendable`: a body lets one reader at a time call `next`.
    private var iterator: HTTP.Body.AsyncIterator
    private let body: HTTP.Body

    init(_ body: HTTP.Body) {
        self.body = body
        iterator = body.makeAsyncIterator()
    }

    var trailers: HTTP.Headers? { body.trailers }

    func next() async throws -> Data? { try await iterator.next() }
    func cancel() { body.cancel() }
}
#endif
