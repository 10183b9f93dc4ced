import Foundation
package import InterceptorKit
import InterceptorKitConcurrency
import Synchronization

/// A small and correct transport over sockets, for the suite to pass, and broken on purpose, for it to
/// fail.
package final class ReferenceTransport: Transport {
    package typealias Input = HTTP.Request

    let flaws: Set<Flaw>
    private let idle = Lock<[Way: [Wire]]>([:])
    private let turn = Turn()
    private let hasFailed = Lock(false)

    package init(_ flaws: Set<Flaw> = []) { self.flaws = flaws }

    package func send(_ request: HTTP.Request, call: Call) async throws -> HTTP.Response {
        guard flaws.contains(.ignoresCancellation) else {
            try Task.checkCancellation()
            return try await sendInTime(request, call)
        }
        return try await Task { try await self.sendInTime(request, call) }.value
    }

    private func sendInTime(_ request: HTTP.Request, _ call: Call) async throws -> HTTP.Response {
        if !flaws.contains(.sendsWithoutChecking) { try request.validate() }
        let address = flaws.contains(.ignoresAddress) ? nil : call.connectAddress
        try address?.validate()
        let way = Way(request.url, address)
        guard let deadline = call.deadline, !flaws.contains(.ignoresDeadline) else {
            return try await attempt(request, way)
        }
        let host = request.url.origin?.authority ?? ""
        guard deadline > call.runtime.now else {
            throw TransportError(.timedOut, "Too late for \(host).", isUnsent: true)
        }
        return try await withThrowingTaskGroup(of: HTTP.Response?.self) { group in
            group.addTask { try await self.attempt(request, way) }
            group.addTask {
                try await call.runtime.sleep(until: deadline)
                return nil
            }
            defer { group.cancelAll() }
            guard let response = try await group.next() ?? nil else {
                throw TransportError(.timedOut, "\(host) did not answer in time.")
            }
            return response
        }
    }

    private func attempt(_ request: HTTP.Request, _ way: Way) async throws -> HTTP.Response {
        if flaws.contains(.stopsAfterFailure), hasFailed.withLock(\.self) {
            throw TransportError(.other, "A request failed before.")
        }
        if flaws.contains(.oneAtATime) { await turn.begin() }
        defer { if flaws.contains(.oneAtATime) { turn.end() } }
        do {
            return try await exchange(request, way)
        } catch {
            hasFailed.withLock { $0 = true }
            try Task.checkCancellation()
            throw transportError(error, request)
        }
    }

    private func exchange(_ request: HTTP.Request, _ way: Way) async throws -> HTTP.Response {
        let wire = try await wire(by: way)
        do {
            return try await withTaskCancellationHandler {
                let head = try await RequestWriter(flaws).head(of: request, on: wire)
                return try await response(head, wire, way, request)
            } onCancel: {
                wire.shutDown()
            }
        } catch {
            if !flaws.contains(.keepsConnectionsOpen) { wire.shutDown() }
            throw error
        }
    }

    private func response(
        _ head: AnswerHead,
        _ wire: Wire,
        _ way: Way,
        _ request: HTTP.Request
    ) async throws -> HTTP.Response {
        let framing = try head.framing(for: request.method, flaws)
        let isKept = head.keepsAlive || flaws.contains(.reusesClosing)
        let body = AnswerBody(wire, framing, flaws) { [weak self] wire in
            guard let self, isKept, !self.flaws.contains(.neverReuses) else {
                return self?.flaws.contains(.keepsConnectionsOpen) == true ? () : wire.shutDown()
            }
            self.idle.withLock { $0[self.key(way), default: []].append(wire) }
        }
        var response = HTTP.Response(head.status, headers: head.headers, request: request)
        if framing == .none {
            body.finish()
        } else if flaws.contains(.collectsResponseBodies) {
            let stream = HTTP.Body.oneShot(body)
            response.body = .bytes(try await stream.collect(upTo: 64 << 20))
        } else {
            response.body = .oneShot(length: framing.length, body)
        }
        return response
    }

    private func wire(by way: Way) async throws -> Wire {
        while let wire = idle.withLock({ $0[key(way)]?.popLast() }) {
            if wire.isUsable || flaws.contains(.reusesStale) { return wire }
        }
        return try await Wire.connect(host: way.host, port: way.port)
    }

    private func key(_ way: Way) -> Way {
        var key = way
        if flaws.contains(.sharesConnectionsOfAddresses) { key.address = nil }
        return key
    }

    private func transportError(_ error: any Error, _ request: HTTP.Request) -> any Error {
        let host =
            flaws.contains(.namesTheTarget)
            ? request.url.text : request.url.origin?.authority ?? ""
        guard !flaws.contains(.callsEverythingOther) else { return TransportError(.other, host) }
        let isUnsent = !flaws.contains(.callsNothingUnsent)
        let isSent = flaws.contains(.callsEverythingUnsent)
        return switch error {
        case Wire.Failure.refused:
            TransportError(.cannotConnect, "\(host) refused.", isUnsent: isUnsent)
        case Wire.Failure.unknownName:
            TransportError(.nameNotResolved, "No address: \(host).", isUnsent: isUnsent)
        case Wire.Failure.broken:
            TransportError(.connectionLost, "\(host) is gone.", isUnsent: isSent)
        case let error as AnswerError:
            TransportError(.protocolViolation, "\(host): \(error)", isUnsent: isSent)
        default: error
        }
    }
}

/// Where a request goes, which a connection kept from another one must share.
private struct Way: Hashable {
    let origin: HTTP.Origin?
    var address: HTTP.ConnectAddress?

    init(_ url: HTTP.URL, _ address: HTTP.ConnectAddress?) {
        origin = url.origin
        self.address = address
    }

    var host: String {
        let host = address?.host ?? origin?.host ?? ""
        // Without a resolver, one name is known.
        return host == "localhost" ? "127.0.0.1" : host
    }

    var port: Int { address?.port ?? origin?.port ?? 80 }
}

/// One at a time, in no order.
private final class Turn: Sendable {
    private let waiting = Lock<(isTaken: Bool, queue: [CheckedContinuation<Void, Never>])>(
        (false, [])
    )

    func begin() async {
        await withCheckedContinuation { continuation in
            let isMine = waiting.withLock { state in
                if state.isTaken { state.queue.append(continuation) }
                defer { state.isTaken = true }
                return !state.isTaken
            }
            if isMine { continuation.resume() }
        }
    }

    func end() {
        let next = waiting.withLock { state in
            if state.queue.isEmpty { state.isTaken = false }
            return state.queue.isEmpty ? nil : state.queue.removeFirst()
        }
        next?.resume()
    }
}
