import ConformanceReference
import Foundation
import InterceptorKit
import InterceptorKitConcurrency
import Synchronization

@testable import InterceptorKitConformance

extension Mutant {
    static let conduct: [Mutant] = [
        Mutant("waits for streams", .waitsForStreams, hangs: true),
        Mutant("ignores deadlines", .ignoresDeadline, hangs: true),
        Mutant("cuts deadlines to whole seconds") { request, call, next in
            guard let remaining = call.remaining, remaining > .zero else {
                return try await next(request, call)
            }
            let whole = Duration.seconds(remaining.components.seconds)
            return try await next(request, call.withDeadline(within: whole))
        },
        Mutant("takes a deadline for zero") { request, call, next in
            try await next(request, call.deadline == nil ? call : call.withDeadline(within: .zero))
        },
        Mutant("keeps the deadline over the body", hangs: true) { request, call, next in
            var response = try await next(request, call)
            guard let remaining = call.remaining else { return response }
            try await call.runtime.sleep(for: remaining)
            response.body.cancel()
            response.body = .oneShot(FailingBody())
            return response
        },
        Mutant("gives every call a deadline") { request, call, next in
            try await next(request, call.withDeadline(within: .milliseconds(20)))
        },
        Mutant("ignores cancellation", .ignoresCancellation, hangs: true),
        Mutant("ignores the cancellation of readers", .ignoresCancellationOfReaders, hangs: true),
        Mutant("keeps connections of what is cancelled", .keepsConnectionsOpen, hangs: true),
        Mutant(
            "cancels every call with one",
            remembering: {
                let isCancelled = Remembered(false)
                return { request, call, next in
                    do {
                        var response = try await next(request, call)
                        response.body = .oneShot(CancelledBody(response.body, isCancelled))
                        return response
                    } catch let error as CancellationError {
                        isCancelled.value.withLock { $0 = true }
                        throw error
                    }
                }
            }
        ),
        Mutant("calls every failure a refusal") { request, call, next in
            do {
                return try await next(request, call)
            } catch let error as TransportError {
                throw TransportError(.cannotConnect, error.message, isUnsent: true)
            }
        },
        Mutant("calls cancellation a failure") { request, call, next in
            do {
                return try await next(request, call)
            } catch is CancellationError {
                throw TransportError(.other, "It was cancelled.")
            }
        },
        Mutant("never uses a connection again", .neverReuses),
        Mutant("uses closed connections again", .reusesClosing, .reusesStale),
        Mutant(
            "uses abandoned connections again",
            .reusesAbandoned,
            .reusesStale,
            hangs: true
        ),
        Mutant("uses stale connections again", .reusesStale),
        Mutant("has one request under way", .oneAtATime, hangs: true),
        Mutant(
            "delivers the first body to everyone",
            remembering: {
                let first = Remembered<Data?>(nil)
                return { request, call, next in
                    var response = try await next(request, call)
                    let body = try await response.body.collect(upTo: 64 << 20)
                    let delivered = first.value.withLock { first in
                        first = first ?? body
                        return first ?? body
                    }
                    response.body = .oneShot(Samples.single(delivered))
                    return response
                }
            }
        ),
        Mutant("follows redirects") { request, call, next in
            let response = try await next(request, call)
            guard response.status.isRedirection, let target = response.headers["Location"] else {
                return response
            }
            return try await next(.get(HTTP.URL(unvalidated: target)), call)
        },
        Mutant("drops the body of a redirect") { request, call, next in
            var response = try await next(request, call)
            if response.status.isRedirection { response.body = .empty }
            return response
        },
        Mutant("fails on challenges") { request, call, next in
            let response = try await next(request, call)
            if [401, 407].contains(response.status) { throw TransportError(.other, "Challenged.") }
            return response
        },
        Mutant("answers challenges") { request, call, next in
            let response = try await next(request, call)
            guard [401, 407].contains(response.status) else { return response }
            return try await next(request, call)
        },
        Mutant("sends again after an error") { request, call, next in
            if let response = try? await next(request, call),
                ![408, 429, 503].contains(response.status)
            {
                return response
            }
            return try await next(request, call)
        },
        Mutant(
            "keeps cookies",
            remembering: {
                let cookie = Remembered<String?>(nil)
                return { request, call, next in
                    var request = request
                    request.headers["Cookie"] = cookie.value.withLock(\.self)
                    let response = try await next(request, call)
                    cookie.value.withLock { $0 = response.headers["Set-Cookie"] }
                    return response
                }
            }
        ),
        Mutant(
            "keeps answers",
            remembering: {
                let kept = Remembered<Data?>(nil)
                return { request, call, next in
                    if let kept = kept.value.withLock(\.self) {
                        return HTTP.Response(200, body: .bytes(kept))
                    }
                    var response = try await next(request, call)
                    if response.headers.contains("ETag") {
                        let body = try await response.body.collect()
                        kept.value.withLock { $0 = body }
                        response.body = .bytes(body)
                    }
                    return response
                }
            }
        ),
        Mutant("takes 304 for an error") { request, call, next in
            let response = try await next(request, call)
            if response.status == 304 { throw TransportError(.protocolViolation, "304") }
            return response
        },
    ]
}

/// A body that fails at once.
private final class FailingBody: HTTP.BodyStream {
    func next() async throws -> Data? { throw TransportError(.timedOut, "The deadline passed.") }
    func cancel() {}
}

/// What a wrapper remembers.
private final class Remembered<Value: Sendable>: Sendable {
    let value: Lock<Value>

    init(_ value: Value) { self.value = Lock(value) }
}

/// A body that ends as cancelled when another call was cancelled.
private final class CancelledBody: HTTP.BodyStream {
    private let base: ForwardedBody
    private let isCancelled: Remembered<Bool>

    init(_ body: HTTP.Body, _ isCancelled: Remembered<Bool>) {
        base = ForwardedBody(body)
        self.isCancelled = isCancelled
    }

    func next() async throws -> Data? {
        let chunk = try await base.next()
        if isCancelled.value.withLock(\.self) { throw CancellationError() }
        return chunk
    }

    func cancel() { base.cancel() }
}
