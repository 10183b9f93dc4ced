import InterceptorKit
import InterceptorKitTesting

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension TransportConformance.Requirement {
    static let concurrency: [Self] = [
        Self("has at least four requests to a host under way at once") { context in
            let gate = Gate()
            let server = try context.server { _ in
                try? await gate.pass()
                return .status(200)
            }

            async let all: Void = context.exchangeAll(4) { .get(server.url("/\($0)")) }
            try await server.waitForRequests(4)
            gate.open()
            try await all
        },
        Self("gives each of many calls at once its own answer") { context in
            let server = try context.server { .text($0.target) }

            try await context.exchangeAll(100) {
                .get(server.url("/?\($0)"))
            } check: { index, body in
                try expect(String(decoding: body, as: UTF8.self), is: "/?\(index)", "The body")
            }

            try expect(server.requests.count, is: 100, "The number of requests")
        },
        Self("gives each call its own answer when the answers come out of order") { context in
            let gates = (0..<4).map { Gate("answer \($0)") }
            let server = try context.server { request in
                try? await gates[Int(request.query ?? "") ?? 0].pass()
                return .text(request.target)
            }

            async let all: Void = context.exchangeAll(4) { index in
                .get(server.url("/?\(index)"))
            } check: { index, body in
                for gate in gates[..<index] { gate.open() }
                try expect(String(decoding: body, as: UTF8.self), is: "/?\(index)", "The body")
            }
            try await server.waitForRequests(4)
            gates[3].open()
            try await all
        },
        Self("lets a quick call pass a slow one") { context in
            let gate = Gate()
            let server = try context.server { request in
                if request.path == "/slow" { try? await gate.pass() }
                return .text(request.path)
            }

            async let slow = context.exchange(.get(server.url("/slow")))
            try await server.waitForRequests(1)
            for _ in 0..<3 { _ = try await context.exchange(.get(server.url("/quick"))) }
            gate.open()
            let (_, body) = try await slow

            try expect(String(decoding: body, as: UTF8.self), is: "/slow", "The slow body")
        },
        Self("does not let one unread body hold up another call") { context in
            let server = try context.server { request in
                request.path == "/large"
                    ? .status(200, body: Samples.bytes(4_000_000)) : .text("small")
            }

            let large = try await context.send(.get(server.url("/large")))
            for _ in 0..<3 {
                let (_, body) = try await context.exchange(.get(server.url("/small")))
                try expect(String(decoding: body, as: UTF8.self), is: "small", "The small body")
            }
            let body = try await large.body.collect()

            try expect(body, is: Samples.bytes(4_000_000), "The large body")
        },
        Self("keeps several large uploads apart") { context in
            let server = try context.server { .text("\($0.query ?? "") \($0.body.count)") }

            try await context.exchangeAll(6) { index in
                .put(
                    server.url("/?\(index)"),
                    body: .bytes(Data(repeating: UInt8(index), count: 500_000 + index))
                )
            } check: { index, body in
                let expected = "\(index) \(500_000 + index)"
                try expect(String(decoding: body, as: UTF8.self), is: expected, "The response")
            }

            for request in server.requests {
                let byte = UInt8(request.query ?? "") ?? 99
                try expect(request.body.allSatisfy { $0 == byte }, "An upload has foreign bytes.")
            }
        },
        Self("keeps several large downloads apart") { context in
            let server = try context.server { request in
                let byte = UInt8(request.query ?? "") ?? 99
                return .status(200, body: Data(repeating: byte, count: 500_000))
            }

            try await context.exchangeAll(6) {
                .get(server.url("/?\($0)"))
            } check: { index, body in
                let expected = Data(repeating: UInt8(index), count: 500_000)
                try expect(body, is: expected, "The body")
            }
        },
        Self("speaks with several hosts at once") { context in
            let servers = try (0..<4).map { index in try context.server(.text("host \(index)")) }

            try await context.exchangeAll(4) {
                .get(servers[$0].url("/"))
            } check: { index, body in
                try expect(String(decoding: body, as: UTF8.self), is: "host \(index)", "The body")
            }

            try expect(servers.map(\.requests.count), is: [1, 1, 1, 1], "The numbers of requests")
        },
    ]
}

extension ConformanceContext {
    /// Sends `count` requests at once and checks each response.
    nonisolated(nonsending) func exchangeAll(
        _ count: Int,
        _ request: @escaping @Sendable (Int) -> HTTP.Request,
        check: @escaping @Sendable (Int, Data) throws -> Void = { _, _ in }
    ) async throws {
        try await withThrowingTaskGroup { group in
            for index in 0..<count {
                group.addTask {
                    let (_, body) = try await self.exchange(request(index))
                    try check(index, body)
                }
            }
            try await group.waitForAll()
        }
    }
}
