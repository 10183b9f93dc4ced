#if canImport(FoundationNetworking)
import Expectations
import Foundation
import FoundationNetworking
import InterceptorKit
import InterceptorKitConcurrency
import InterceptorKitEngine
import Synchronization
import Testing

@testable import InterceptorKitTransport

@Suite("What an engine tells of an exchange")
struct CrossingEventsTests {
    enum Told: Sendable {
        case head(Int)
        case chunk
        case end
        case failure
    }

    /// Behind a proxy, or with an expectation; what the engine tells; what the caller gets.
    static let rows: [(tunnelled: Bool, told: [Told], outcome: String)] = [
        (true, [.head(200), .head(404), .chunk, .end], "404, 1 bytes"),
        (true, [.head(200), .head(204), .end], "204, 0 bytes"),
        (true, [.head(407), .head(200), .head(429), .chunk, .end], "429, 1 bytes"),
        (true, [.head(401), .chunk, .end], "401, 1 bytes"),
        (true, [.head(404), .failure], "no response"),
        (true, [.head(200), .failure], "no response"),
        (true, [.head(200), .head(200), .chunk, .failure], "200, broken off"),
        (false, [.head(417), .head(201), .chunk, .end], "201, 1 bytes"),
        (false, [.head(417), .chunk, .end], "417, 1 bytes"),
        (false, [.head(417), .end], "417, 0 bytes"),
        (false, [.head(201), .failure], "201, broken off"),
    ]

    @Test("is the last of several heads, and none of a tunnel that failed", arguments: rows.indices)
    func heads(row: Int) async throws {
        let (tunnelled, told, outcome) = Self.rows[row]
        let engine = ToldEngine { operation in
            for event in told {
                switch event {
                case .head(let code):
                    operation.receive(ResponseHead(status: HTTP.Status(code), headers: [:]))
                case .chunk: operation.receive(Data([1]))
                case .end: operation.complete(nil, head: nil)
                case .failure:
                    operation.complete(
                        .engine(URLError(.unknown), mayHaveArrived: false),
                        head: nil
                    )
                }
            }
        }

        let got = await run(try await operation(engine, tunnelled: tunnelled))

        expectEqual(got, outcome)
    }

    @Test("is never both a decided redirect and a cancellation", arguments: [false, true])
    func redirect(isCancelledFirst: Bool) async throws {
        let decided = Lock(false)
        let engine = ToldEngine { operation in
            if isCancelledFirst { operation.handle(.callerCancelled) }
            decided.withLock { $0 = operation.decideRedirect() }
            operation.handle(.callerCancelled)
        }

        let got = await run(try await operation(engine, tunnelled: false))

        expectEqual(got, "no response")
        expectEqual(decided.withLock(\.self), !isCancelledFirst)
        expectEqual(engine.cancels.withLock(\.self), (isCancelledFirst ? 1 : 0))
    }

    private func operation(_ engine: ToldEngine, tunnelled: Bool) async throws -> RequestOperation {
        var outgoing = try await OutgoingRequest(
            .post("http://host/", headers: ["Expect": "100-continue"], body: "x"),
            host: "host",
            settings: .init(),
            registry: TaskRegistry(),
            call: Call()
        )
        outgoing.mayBeTunnelled = tunnelled
        return RequestOperation(outgoing, limits: .init(memory: 64, files: nil), engine: engine)
    }

    private func run(_ operation: RequestOperation) async -> String {
        guard let head = try? await operation.head(before: nil, on: .live, timer: "timer") else {
            return "no response"
        }
        var count = 0
        do {
            while let chunk = try await operation.nextChunk() { count += chunk.count }
            return "\(head.status.code), \(count) bytes"
        } catch {
            return "\(head.status.code), broken off"
        }
    }
}

/// An engine that tells what it is given, all at once, as soon as it is started.
private final class ToldEngine: Engine {
    private final class Transfer: EngineTask {
        let onResume: @Sendable () -> Void
        let onCancel: @Sendable () -> Void

        init(_ onResume: @escaping @Sendable () -> Void, _ onCancel: @escaping @Sendable () -> Void)
        {
            self.onResume = onResume
            self.onCancel = onCancel
        }

        func resume() { onResume() }
        func cancel() { onCancel() }
    }

    let signalsBatches = false
    let cancels = Lock(0)
    private let events: @Sendable (RequestOperation) -> Void

    init(_ events: @escaping @Sendable (RequestOperation) -> Void) { self.events = events }

    func begin(_ operation: RequestOperation) -> Bool { true }
    func perform(_ action: @escaping @Sendable () -> Void) { action() }
    func afterBatch(_ action: @escaping @Sendable () -> Void) { action() }
    func forget(_ operation: RequestOperation) {}

    func makeTask(for operation: RequestOperation) -> (any EngineTask)? {
        Transfer({ self.events(operation) }, { self.cancels.withLock { $0 += 1 } })
    }
}
#endif
