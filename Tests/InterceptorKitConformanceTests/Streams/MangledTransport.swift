import ConformanceReference
import Foundation
import InterceptorKit
import InterceptorKitConcurrency
import Synchronization

/// The reference transport, whose messages and bodies are spoiled on the way.
struct MangledTransport: Transport {
    typealias Input = HTTP.Request

    /// What becomes of a response's body.
    enum BodyFlaw: Sendable {
        case none
        /// So many bytes stay behind until others follow.
        case holdsBack(Int)
        /// Each chunk becomes another one.
        case changes(@Sendable (Data) -> Data)
        /// The body ends after so many bytes.
        case stops(after: Int)
        /// The end, or a break, becomes an end with more bytes before it.
        case ends(with: String)
    }

    var base: any Transport<HTTP.Request> = ReferenceTransport()
    var request: @Sendable (inout HTTP.Request) async throws -> Void = { _ in }
    var response: @Sendable (inout HTTP.Response) -> Void = { _ in }
    var body = BodyFlaw.none
    var sendsTwice = false
    /// Where bodies stay that are released.
    var kept: Kept?

    func send(_ input: HTTP.Request, call: Call) async throws -> HTTP.Response {
        var changed = input
        try await request(&changed)
        if sendsTwice { _ = try await base.send(changed, call: call) }
        var answer = try await base.send(changed, call: call)
        if case .none = body {
        } else {
            answer.body = .oneShot(MangledBody(answer.body, body))
        }
        if let kept { answer.body = .oneShot(kept.add(answer.body)) }
        response(&answer)
        return answer
    }
}

/// Bodies that are never released.
final class Kept: Sendable {
    private final class Body: HTTP.BodyStream {
        let base: any HTTP.BodyStream

        init(_ base: any HTTP.BodyStream) { self.base = base }

        func next() async throws -> Data? { try await base.next() }

        func cancel() {}
    }

    private let bodies = Lock<[any HTTP.BodyStream]>([])

    func add(_ body: HTTP.Body) -> some HTTP.BodyStream {
        let stream = body.stream()
        bodies.withLock { $0.append(stream) }
        return Body(stream)
    }
}

private final class MangledBody: HTTP.BodyStream {
    private struct State {
        var rest = Data()
        var count = 0
        var isOver = false
    }

    private let base: any HTTP.BodyStream
    private let flaw: MangledTransport.BodyFlaw
    private let state = Lock(State())

    init(_ body: HTTP.Body, _ flaw: MangledTransport.BodyFlaw) {
        base = body.stream()
        self.flaw = flaw
    }

    deinit { cancel() }

    func cancel() { base.cancel() }

    func next() async throws -> Data? {
        if state.withLock(\.isOver) { return nil }
        do {
            guard let chunk = try await base.next() else { return end() }
            return take(chunk)
        } catch {
            guard case .ends = flaw, !Task.isCancelled else { throw error }
            return end()
        }
    }

    private func take(_ chunk: Data) -> Data? {
        switch flaw {
        case .none, .ends: return chunk
        case .changes(let change): return change(chunk)
        case .holdsBack(let limit):
            return state.withLock { state in
                state.rest += chunk
                let ready = Data(state.rest.dropLast(limit))
                state.rest = Data(state.rest.suffix(limit))
                return ready
            }
        case .stops(let limit):
            let part = state.withLock { state in
                let part = chunk.prefix(limit - state.count)
                state.count += part.count
                state.isOver = state.count == limit
                return part
            }
            if part.count < chunk.count { base.cancel() }
            return part
        }
    }

    private func end() -> Data? {
        state.withLock { state in
            state.isOver = true
            if case .ends(let more) = flaw { return Data(more.utf8) }
            return state.rest.isEmpty ? nil : state.rest
        }
    }
}
