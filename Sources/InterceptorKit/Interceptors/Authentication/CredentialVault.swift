#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Holds one credential for any number of calls and renews it once for all of them.
///
/// A renewal runs in a task of the runtime's own and is never cancelled, because a server may have
/// rotated the token already; those who wait for it leave when they are cancelled or out of time. A
/// version tells a credential that was just renewed from the one a late rejection is about.
final class CredentialVault: Sendable {
    struct Held: Sendable {
        var credential: Credential?
        var version: Int
    }

    private struct State {
        var held: Held?
        var version = 0
        var renewal: Renewal?
        var backoff: RenewalBackoff?
        // Signed out by hand: nothing is renewed until someone signs in.
        var isSignedOut = false
        var lastID = 0

        mutating func nextID() -> Int {
            lastID += 1
            return lastID
        }
    }

    private let source: any CredentialSource
    private let waitLimit: Duration
    private let state = Lock(State())

    /// - Parameters:
    ///   - source: Where credentials come from.
    ///   - waitLimit: How long a call waits for a renewal at most.
    init(source: any CredentialSource, waitLimit: Duration) {
        self.source = source
        self.waitLimit = waitLimit
    }

    /// Whether the calling task is this vault's renewal, whose own requests must not wait for it.
    var isRenewingHere: Bool { RenewalScope.vaults.contains(ObjectIdentifier(self)) }

    /// The credential to use now: loaded if it never was, renewed if it is about to expire.
    nonisolated(nonsending) func current(for call: Call) async throws -> Held {
        let known = state.withLock(\.held)
        let held =
            if let known { known } else { try await renewed(unless: { $0 != nil }, .load, call) }
        guard let expiry = held.credential?.expiresAt,
            expiry.timeIntervalSince(call.runtime.date) <= CredentialVault.expiryMargin
        else { return held }
        do {
            return try await renewed(after: held, for: call)
        } catch let error where !(error is CancellationError) && expiry > call.runtime.date {
            // Still accepted, if not for long: better than failing the call.
            return held
        }
    }

    /// The credential in place of one that was rejected or has expired.
    nonisolated(nonsending) func renewed(after used: Held, for call: Call) async throws -> Held {
        try await renewed(
            unless: { $0.map { $0.version != used.version } ?? false },
            .refresh(used.credential),
            call
        )
    }

    /// Puts a credential, or none, in place of whatever there is; a renewal under way comes too late.
    func replace(with credential: Credential?) {
        let (held, waiters) = state.withLock { state in
            let waiters = state.renewal?.takeWaiters() ?? []
            state.renewal = nil
            state.backoff = nil
            state.isSignedOut = credential == nil
            state.version += 1
            let held = Held(credential: credential, version: state.version)
            state.held = held
            return (held, waiters)
        }
        for waiter in waiters { waiter.resume(with: .success(held)) }
    }

    // A token this near its end may expire on the way; ten seconds as the AWS identity cache.
    private static let expiryMargin = 10.0

    private enum Kind {
        case load
        case refresh(Credential?)

        var isRefresh: Bool { if case .refresh = self { true } else { false } }
    }

    private enum Entry {
        case answered(Result<Held, any Error>)
        case waiting
        case starting(Int)
    }

    private nonisolated(nonsending) func renewed(
        unless isDone: @Sendable (Held?) -> Bool,
        _ kind: Kind,
        _ call: Call
    ) async throws -> Held {
        let id = state.withLock { $0.nextID() }
        let limit = call.runtime.now.advanced(by: min(waitLimit, call.remaining ?? waitLimit))
        let wait = call.runtime.beginWait("waits for a credential renewal for call \(call.id)")
        defer { wait?.end() }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let now = call.runtime.now
                let waiter = RenewalWaiter(continuation)
                let entry = state.withLock { state -> Entry in
                    if Task.isCancelled { return .answered(.failure(CancellationError())) }
                    if state.isSignedOut || isDone(state.held), let held = state.held {
                        return .answered(.success(held))
                    }
                    if let error = state.backoff?.error(at: now) {
                        return .answered(.failure(error))
                    }
                    if state.renewal != nil {
                        state.renewal?.waiters[id] = waiter
                        return .waiting
                    }
                    let renewal = state.nextID()
                    state.renewal = Renewal(id: renewal, waiters: [id: waiter])
                    return .starting(renewal)
                }
                switch entry {
                case .answered(let result):
                    waiter.resume(with: result)
                case .waiting:
                    limitWait(of: id, until: limit, call)
                case .starting(let renewal):
                    limitWait(of: id, until: limit, call)
                    start(kind, renewal, call)
                }
            }
        } onCancel: {
            leave(id, with: CancellationError())
        }
    }

    private func limitWait(of id: Int, until limit: Runtime.Instant, _ call: Call) {
        let runtime = call.runtime
        let timer = runtime.start("time limit of a wait for a credential") { [weak self] in
            do {
                try await runtime.sleep(until: limit)
                self?.leave(id, with: TokenError.renewalTimedOut)
            } catch {
                // Cancelled: the wait is over.
            }
        }
        let isGone = state.withLock { state in
            guard state.renewal?.waiters[id] != nil else { return true }
            state.renewal?.waiters[id]?.timer = timer
            return false
        }
        if isGone { timer.cancel() }
    }

    private func leave(_ id: Int, with error: any Error) {
        let waiter = state.withLock { $0.renewal?.waiters.removeValue(forKey: id) }
        waiter?.resume(with: .failure(error))
    }

    private func start(_ kind: Kind, _ renewal: Int, _ call: Call) {
        if kind.isRefresh { call.emit(.refreshStarted, from: "TokenInterceptor") }
        // The handle is not kept: a renewal that was sent always runs to its end.
        _ = call.runtime.start("credential renewal") { [self] in
            let scope = RenewalScope.vaults + [ObjectIdentifier(self)]
            let result: Result<Credential?, any Error>
            do {
                let credential = try await RenewalScope.$vaults.withValue(scope) {
                    switch kind {
                    case .load: try await source.load()
                    case .refresh(let rejected): try await source.refresh(rejected)
                    }
                }
                result = .success(credential)
            } catch {
                result = .failure(error)
            }
            finish(renewal, kind, result, call)
        }
    }

    private func finish(
        _ renewal: Int,
        _ kind: Kind,
        _ result: Result<Credential?, any Error>,
        _ call: Call
    ) {
        let now = call.runtime.now
        let (answer, waiters) = state.withLock {
            state -> (Result<Held, any Error>?, [RenewalWaiter]) in
            // Signed out or replaced in between: what came is nobody's any more.
            guard state.renewal?.id == renewal else { return (nil, []) }
            let waiters = state.renewal?.takeWaiters() ?? []
            state.renewal = nil
            switch (result, kind) {
            case (.failure(let error), _):
                state.backoff = RenewalBackoff(after: state.backoff, error, at: now)
                return (.failure(error), waiters)
            case (.success(nil), .refresh):
                // None to be had: the old one stays, and with its version unchanged nothing is replayed.
                return (
                    .success(state.held ?? Held(credential: nil, version: state.version)), waiters
                )
            case (.success(let credential), _):
                state.backoff = nil
                state.version += 1
                let held = Held(credential: credential, version: state.version)
                state.held = held
                return (.success(held), waiters)
            }
        }
        guard let answer else { return }
        if kind.isRefresh {
            let outcome = (try? answer.get()) == nil ? "failed" : "done"
            call.emit(.refreshEnded, from: "TokenInterceptor", ["outcome": .text(outcome)])
        }
        for waiter in waiters { waiter.resume(with: answer) }
    }
}
