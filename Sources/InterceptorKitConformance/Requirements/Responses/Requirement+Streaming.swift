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
    static let streaming: [Self] = [
        Self("delivers the head before the body is there") { context in
            let server = try context.server(.text("0123456789").stalledInBody(after: 0))

            let response = try await context.send(.get(server.url("/")))

            try expect(response.status, is: 200, "The status")
        },
        Self("delivers what has come of a body before the rest") { context in
            let server = try context.server(.text("0123456789").stalledInBody(after: 4))

            let response = try await context.send(.get(server.url("/")))
            let seen = try await context.read(4, of: response)

            try expect(String(decoding: seen, as: UTF8.self), is: "0123", "The bytes")
        },
        Self("delivers a chunk before the next one comes") { context in
            let server = try context.server(
                .text("0123456789").chunked(size: 5).stalledInBody(after: 5)
            )

            let response = try await context.send(.get(server.url("/")))
            let seen = try await context.read(5, of: response)

            try expect(String(decoding: seen, as: UTF8.self), is: "01234", "The bytes")
        },
        Self("delivers each chunk before the server makes the next") { context in
            let (chunks, source) = AsyncStream.makeStream(of: Data.self)
            let server = try context.server(.status(200, body: .oneShot(chunks)))

            let response = try await context.send(.get(server.url("/")))
            var reader = response.body.makeAsyncIterator()
            for number in 0..<5 {
                source.yield(Data("\(number)".utf8))
                let chunk = try await reader.next() ?? Data()
                try expect(String(decoding: chunk, as: UTF8.self), is: "\(number)", "The chunk")
            }
            source.finish()

            try expect(try await reader.next(), is: nil, "What follows the last chunk")
        },
        Self("delivers nothing whole of a body whose maker fails") { context in
            let failing = AsyncThrowingStream<Data, any Error> { source in
                source.yield(Data("abc".utf8))
                source.finish(throwing: ExpectationFailure("The server's stream broke."))
            }

            _ = try await context.brokenResponse(
                .status(200, body: .oneShot(failing)),
                [.connectionLost]
            )
        },
        Self("delivers every byte to a reader slower than the server") { context in
            let content = Samples.bytes(3_000_000)
            let server = try context.server(.status(200, body: content))

            let response = try await context.send(.get(server.url("/")))
            var seen = Data()
            for try await chunk in response.body {
                seen += chunk
                for _ in 0..<20 { await Task.yield() }
            }

            try expect(seen, is: content, "The body")
        },
        Self("delivers a body that is read late") { context in
            let content = Samples.bytes(500_000)
            let server = try context.server { request in
                request.path == "/" ? .status(200, body: content) : .text("other")
            }

            let response = try await context.send(.get(server.url("/")))
            _ = try await context.exchange(.get(server.url("/other")))
            let body = try await response.body.collect()

            try expect(body, is: content, "The body")
        },
        Self("lets a body be read once") { context in
            let server = try context.server(.text("hello").chunked())

            let response = try await context.send(.get(server.url("/")))
            let first = try await response.text()

            try expect(first, is: "hello", "The first reading")
            _ = try await context.failure(of: "The second reading") { try await response.text() }
        },
        Self("streams a request's body") { context in
            let made = Lock(0)
            let body = HTTP.Body.replayable {
                AsyncStream<Data>(unfolding: {
                    let number = made.withLock { made in
                        made += 1
                        return made
                    }
                    return number > 200 ? nil : Data(repeating: UInt8(number), count: 100_000)
                })
            }

            let request = try await context.arrival { .post($0.url("/"), body: body) }

            try expect(request.body.count, is: 20_000_000, "The body's size")
            let seen = stride(from: 0, to: 20_000_000, by: 100_000).map { request.body[$0] }
            try expect(seen, is: (1...200).map { UInt8($0) }, "The chunks")
        },
        Self("sends what a stream has made before it makes more") { context in
            let server = try context.server(.status(200))
            let (chunks, source) = AsyncStream.makeStream(of: Data.self)
            let first = Samples.bytes(20_000)

            async let response = context.send(.post(server.url("/"), body: .oneShot(chunks)))
            source.yield(first)
            do {
                try await server.waitForReceivedBytes(20_000, timeout: .seconds(3))
            } catch {
                source.finish()
                throw ExpectationFailure(
                    "The body's first chunk was not sent before the next was made."
                )
            }
            source.yield(Data("end".utf8))
            source.finish()
            _ = try await response

            try expect(context.single(server).body, is: first + Data("end".utf8), "The body")
        },
    ]
}

extension ConformanceContext {
    /// Reads until `count` bytes have arrived.
    nonisolated(nonsending) func read(_ count: Int, of response: HTTP.Response) async throws -> Data
    {
        var seen = Data()
        for try await chunk in response.body {
            seen += chunk
            if seen.count >= count { break }
        }
        return seen
    }
}
