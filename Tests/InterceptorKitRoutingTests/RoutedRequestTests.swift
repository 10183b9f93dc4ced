import Foundation
import InterceptorKit
import InterceptorKitConcurrency
import InterceptorKitTesting
import Synchronization
import TestRun
import Testing

@testable import InterceptorKitRouting

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite("RoutedRequest in virtual time")
struct RoutedRequestTests {
    @Test("counts bytes of the request body that are sent as activity")
    func uploading() async throws {
        try await expect(["200", "finished"], after: .seconds(4)) { _, call in
            for sent in 1...4 {
                try await call.runtime.sleep(for: .seconds(1))
                call.onBodySent?(sent)
            }
            return HTTP.Response()
        }
    }

    @Test(
        "may take longer than the idle timeout while bytes keep arriving",
        arguments: [false, true]
    )
    func moving(isCollected: Bool) async throws {
        let expected = isCollected ? ["200", "3", "finished"] : ["200", "1", "1", "1", "finished"]
        try await expect(expected, after: .seconds(3), isCollected: isCollected) { _, call in
            HTTP.Response(body: ticking(3, on: call.runtime))
        }
    }

    @Test("times out when idle, before the head and within the body")
    func silence() async throws {
        try await expect(["-1001"], after: .seconds(1.5)) { _, call in
            try await call.runtime.sleep(for: .seconds(3600))
            return HTTP.Response()
        }
        try await expect(["200", "1", "-1001"], after: .seconds(2.5)) { _, call in
            HTTP.Response(body: ticking(1, thenSilent: true, on: call.runtime))
        }
    }

    @Test("times out after its total timeout, however much arrives")
    func overall() async throws {
        let expected = ["200", "1", "1", "1", "1", "1", "-1001"]
        try await expect(expected, after: .seconds(5.5), overall: 5.5) { _, call in
            HTTP.Response(body: ticking(3600, on: call.runtime))
        }
    }

    /// Sends with an idle timeout of 1.5 s, and checks what is delivered and when it is over.
    private func expect(
        _ expected: [String],
        after elapsed: Duration,
        overall: TimeInterval = 604_800,
        isCollected: Bool = false,
        _ send: @escaping @Sendable (HTTP.Request, Call) async throws -> HTTP.Response
    ) async throws {
        try await besideOtherTests {
            try simulate(seeds: 0..<20) { simulation in
                let client = try HTTP.Client(
                    transport: ScriptedTransport<HTTP.Request> { try await send($0, $1) },
                    runtime: simulation.runtime
                ) {}
                let configuration = URLSessionConfiguration.ephemeral
                configuration.timeoutIntervalForRequest = 1.5
                configuration.timeoutIntervalForResource = overall
                let route = Route(to: client, RouteSettings(configuration, bodyLimit: 100))
                let request = RoutedRequest(
                    route: route,
                    urlRequest: urlRequest("http://api.example.com/"),
                    isCollected: isCollected
                )
                let delivered = Delivered()
                let start = simulation.now

                let load = delivered.load()
                load.handle(.entered)
                await request.run(load)

                // Thrown, because a simulation's tasks are not known to the test.
                let took = start.duration(to: simulation.now)
                guard delivered.all == expected, took == elapsed else {
                    throw Unexpected(delivered: delivered.all, after: took)
                }
            }
        }
    }
}

private struct Unexpected: Error {
    var delivered: [String]
    var after: Duration
}

/// A body of one byte a second.
private func ticking(_ count: Int, thenSilent: Bool = false, on runtime: Runtime) -> HTTP.Body {
    let sent = Counter()
    return .oneShot(
        AsyncThrowingStream<Data, any Error> {
            let number = sent.next()
            if number > count, !thenSilent { return nil }
            try await runtime.sleep(for: .seconds(number > count ? 3600 : 1))
            return Data("x".utf8)
        }
    )
}

private final class Counter: Sendable {
    private let count = Lock(0)

    func next() -> Int {
        count.withLock { count in
            count += 1
            return count
        }
    }
}

/// A session's queue that comes at once, and what it was given.
private final class Delivered: Sendable {
    private let notes = Lock<[String]>([])

    var all: [String] { notes.withLock { $0 } }

    func load() -> RoutedLoad {
        RoutedLoad(
            RoutedLoad.Queue(
                call: { load in
                    load.handle(.calledQueue)
                    load.handle(.entered, deliver: { $0.forEach(self.note) })
                },
                drain: { $0.handle(.drainedQueue) }
            )
        )
    }

    private func note(_ delivery: RoutedLoad.Delivery) {
        let text =
            switch delivery {
            case .head(let head): "\(head.statusCode)"
            case .chunk(let chunk): "\(chunk.count)"
            case .finished: "finished"
            case .failed(let error): "\(error.errorCode)"
            }
        notes.withLock { $0.append(text) }
    }
}
