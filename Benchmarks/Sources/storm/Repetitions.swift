import Engines
import Foundation
import InterceptorKit
import InterceptorKitTesting
import Reporting

/// Calls over one engine, without a retry, to a server that breaks one in five of the connections it kept
/// after it has executed the request and before it answers.
struct Repetitions {
    let engine: Engine
    let calls: Int
    let inFlight: Int
    /// For how long no call may end.
    let patience: Duration

    /// The executions beyond the first of each call.
    struct Count {
        /// Of what changes something.
        var unsafe = 0
        /// Of GET, which may be repeated without harm (RFC 9110 section 9.2.2).
        var safe = 0
    }

    /// Makes all calls over a transport of their own.
    func count() throws -> Count {
        let executions = (0..<calls).map { _ in Counter() }
        let broken = Counter()
        let server = try startServer(executions, broken)
        let opened = try engine.open(inFlight)
        let (started, ended) = (Counter(), Counter())
        for _ in 0..<inFlight {
            Task.detached { [calls] in
                while case let number = started.add(), number < calls {
                    _ = try? await opened.transport.send(request(number, to: server), call: Call())
                        .body.collect()
                    ended.add()
                }
            }
        }
        try waitForEnd(of: ended)
        opened.close()
        server.stop()
        guard broken.count > 0 else {
            throw ArgumentError(description: "No connection was kept, so that none was broken.")
        }
        var count = Count()
        for (number, counter) in executions.enumerated() {
            let beyondFirst = max(0, counter.count - 1)
            if method(number) == .get {
                count.safe += beyondFirst
            } else {
                count.unsafe += beyondFirst
            }
        }
        return count
    }

    private func startServer(_ executions: [Counter], _ broken: Counter) throws -> LoopbackServer {
        let kept = KeptConnections()
        var options = LoopbackServer.Options()
        options.recordsRequests = false
        return try LoopbackServer(options: options) { request in
            let number = request.query.flatMap { Int($0) } ?? 0
            let isFirst = executions[number].add() == 0
            let isKept = !kept.insert(request.connection)
            guard number.isMultiple(of: 5), isFirst, isKept else { return .text("done") }
            broken.add()
            return (number / 40).isMultiple(of: 2) ? .closedBeforeReply : .reset
        }
    }

    // Of five consecutive forties each has every method with both kinds of body among those that break.
    private func request(_ number: Int, to server: LoopbackServer) -> HTTP.Request {
        let url = server.url("/?\(number)")
        let text = Data("body of \(number)".utf8)
        let stream = AsyncStream {
            $0.yield(text); $0.finish()
        }
        let body: HTTP.Body =
            (number / 4).isMultiple(of: 2) ? .bytes(text) : .oneShot(length: text.count, stream)
        let method = method(number)
        return HTTP.Request(method, url, body: method == .get ? .empty : body)
    }

    private func method(_ number: Int) -> HTTP.Method {
        [.post, .patch, .put, .get][number % 4]
    }

    private func waitForEnd(of ended: Counter) throws {
        var (count, lastEnd) = (0, ContinuousClock.now)
        while ended.count < calls {
            Thread.sleep(forTimeInterval: 0.02)
            if ended.count > count {
                (count, lastEnd) = (ended.count, .now)
            } else if lastEnd.duration(to: .now) > patience {
                throw ArgumentError(
                    description: "\(calls - count) calls whose connections broke never ended."
                )
            }
        }
    }
}

/// Connections that have carried a request.
private final class KeptConnections: @unchecked Sendable {
    // Invariant behind `@unchecked Sendable`: touched only while locked. `NSLock`, because Thread
    // Sanitizer sees what it does.
    private var numbers: Set<Int> = []
    private let lock = NSLock()

    /// - Returns: Whether the connection is new.
    func insert(_ number: Int) -> Bool { lock.withLock { numbers.insert(number).inserted } }
}
