import InterceptorKit
import InterceptorKitConcurrency
import InterceptorKitTesting
import Synchronization

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension TransportConformance.Requirement {
    static let requestBodies: [Self] = [
        Self("sends a body in memory whole, with its length") { context in
            let request = try await context.arrival { .post($0.url("/"), body: "hello, body") }

            try expect(request.text, is: "hello, body", "The body")
            try expect(request.headers["Content-Length"], is: "11", "The length")
        },
        Self("sends every byte value unchanged") { context in
            let body = Samples.bytes(70_000)

            let request = try await context.arrival { .put($0.url("/"), body: .bytes(body)) }

            try expect(request.body, is: body, "The body")
        },
        Self("sends a large body whole") { context in
            let body = Samples.bytes(6_000_000)

            let request = try await context.arrival { .put($0.url("/"), body: .bytes(body)) }

            try expect(request.body, is: body, "The body")
        },
        Self("says that an empty POST has no body") { context in
            let request = try await context.arrival { .post($0.url("/")) }

            try expect(request.headers["Content-Length"], is: "0", "The length")
            try expect(request.body.isEmpty, "There is a body.")
        },
        Self("sends the body of a DELETE") { context in
            let request = try await context.arrival {
                HTTP.Request(.delete, $0.url("/"), body: "why")
            }

            try expect(request.text, is: "why", "The body")
        },
        Self("sends a stream that can be made again, whole") { context in
            let request = try await context.arrival {
                .post($0.url("/"), body: .replayable { Samples.chunks(20, of: 5_000) })
            }

            try expect(request.body, is: Samples.bytes(100_000), "The body")
        },
        Self("makes a stream that can be made again once a send") { context in
            let made = Lock(0)
            let server = try context.server(.status(200))
            let body = HTTP.Body.replayable {
                made.withLock { $0 += 1 }
                return Samples.chunks(2, of: 10)
            }

            _ = try await context.exchange(.post(server.url("/"), body: body))
            _ = try await context.exchange(.post(server.url("/"), body: body))

            try expect(server.requests.map(\.body.count), is: [20, 20], "The bodies' sizes")
            try expect(made.withLock(\.self), is: 2, "The number of streams made")
        },
        Self("sends a stream that can be read once, whole") { context in
            let request = try await context.arrival {
                .post($0.url("/"), body: .oneShot(Samples.chunks(20, of: 5_000)))
            }

            try expect(request.body, is: Samples.bytes(100_000), "The body")
        },
        Self("sends a stream of a known length with this length") { context in
            let request = try await context.arrival {
                .put($0.url("/"), body: .oneShot(length: 30, Samples.chunks(3, of: 10)))
            }

            try expect(request.headers["Content-Length"], is: "30", "The length")
            try expect(request.body, is: Samples.bytes(30), "The body")
        },
        Self("never sends a stream that was read before as nothing") { context in
            let server = try context.server(.status(200))
            let body = HTTP.Body.oneShot(Samples.chunks(2, of: 10))
            _ = try await body.collect()

            _ = try await context.failure(of: "The send") {
                try await context.exchange(.post(server.url("/"), body: body))
            }

            try expect(server.requests.isEmpty, "The server received a request.")
        },
        Self("sends a stream that has no chunk as an empty body") { context in
            let request = try await context.arrival {
                .post($0.url("/"), body: .oneShot(Samples.chunks(0, of: 1)))
            }

            try expect(request.body.isEmpty, "There is a body.")
        },
        Self("fails when the body's stream fails, and sends no shortened request") { context in
            let server = try context.server(.status(200))
            let failing = AsyncThrowingStream<Data, any Error> { source in
                source.yield(Data("abc".utf8))
                source.finish(throwing: ExpectationFailure("The stream broke."))
            }

            _ = try await context.failure(of: "The send") {
                try await context.exchange(.post(server.url("/"), body: .oneShot(failing)))
            }

            try expect(server.requests.isEmpty, "The server received a whole request.")
        },
        Self("sends a file whole") { context in
            let content = Samples.bytes(200_000)
            let request = try await Samples.withFile(content) { path in
                try await context.arrival { .put($0.url("/"), body: .file(path)) }
            }

            try expect(request.body, is: content, "The body")
        },
        Self("sends a part of a file") { context in
            let content = Samples.bytes(20_000)
            let request = try await Samples.withFile(content) { path in
                try await context.arrival {
                    .put($0.url("/"), body: .file(path, range: 5..<15_005))
                }
            }

            try expect(request.body, is: content[5..<15_005], "The body")
        },
        Self("fails where the file to send is not there") { context in
            let server = try context.server(.status(200))

            _ = try await context.failure(of: "The send") {
                try await context.send(.put(server.url("/"), body: .file("/nowhere/to/be/found")))
            }

            try expect(server.requests.isEmpty, "The server received a request.")
        },
        Self("delivers a response that comes before the body is read") { context in
            var options = LoopbackServer.Options()
            options.earlyReply = { _ in .text("too large", status: 413) }
            let server = try context.server(options) { _ in .status(200) }

            let (head, body) = try await context.exchange(
                .put(server.url("/"), body: .bytes(Samples.bytes(300_000)))
            )

            try expect(head.status, is: 413, "The status")
            try expect(String(decoding: body, as: UTF8.self), is: "too large", "The body")
        },
    ]
}
