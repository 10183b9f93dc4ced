import InterceptorKit
import InterceptorKitSharedState

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The JSON gateway of an etcd cluster (API v3).
///
/// A request that fails is sent to the next member, so every request must be safe to carry out twice.
struct EtcdGateway: Sendable {
    private static let responseLimit = 1 << 20

    let endpoints: [HTTP.URL]
    let pipeline: Pipeline<HTTP.Request>
    let timeout: Duration
    let runtime: Runtime
    /// Converts the error of a failed request, but not of a failed watch, into that of the gateway's user.
    var wording: @Sendable (StoreError) -> any Error = { $0 }

    nonisolated(nonsending) func transact(
        _ transaction: EtcdTransaction
    ) async throws -> EtcdTransaction.Response {
        try await ask("kv/txn", transaction)
    }

    /// - Parameter duration: The duration, of which only whole seconds count.
    nonisolated(nonsending) func grantLease(_ duration: Duration) async throws -> EtcdNumber {
        let seconds = max(1, duration.wholeSeconds)
        let request = EtcdLease(id: EtcdNumber(0), ttl: EtcdNumber(seconds))
        let lease: EtcdLease = try await ask("lease/grant", request)
        return lease.id
    }

    /// - Returns: Whether the lease continues; `false` if it has ended.
    nonisolated(nonsending) func keepAlive(_ lease: EtcdNumber) async throws -> Bool {
        let response: EtcdLease.KeptAlive = try await ask("lease/keepalive", EtcdLease(id: lease))
        return (response.result.ttl?.value ?? 0) > 0
    }

    /// - Returns: The remaining time of a lease; zero if it has ended.
    nonisolated(nonsending) func timeLeft(of lease: EtcdNumber) async throws -> Duration {
        let found: EtcdLease.TimeLeft = try await ask("lease/timetolive", EtcdLease(id: lease))
        return min(.seconds(max(0, found.ttl?.value ?? 0)), SettingCheck.longest)
    }

    nonisolated(nonsending) func revoke(_ lease: EtcdNumber) async throws {
        let _: EtcdNothing = try await ask("lease/revoke", EtcdLease(id: lease))
    }

    /// Returns when a key is deleted or the time is over.
    nonisolated(nonsending) func waitForDeletion(
        of key: Data,
        after revision: EtcdNumber,
        atMost limit: Duration
    ) async throws {
        let creation = EtcdWatch.Creation(key: key, after: revision, filters: ["NOPUT"])
        let response = try await send("watch", EtcdWatch(creation), to: endpoints[0], newCall())
        try await waitForEvent(in: response, atMost: limit)
    }

    /// Returns when a key in a range changes or the time is over.
    nonisolated(nonsending) func waitForChange(
        of range: EtcdRange,
        after revision: EtcdNumber,
        atMost limit: Duration
    ) async throws {
        let creation = EtcdWatch.Creation(key: range.key, end: range.end, after: revision)
        var failure: (any Error)?
        for endpoint in endpoints {
            let response: HTTP.Response
            do {
                response = try await send("watch", EtcdWatch(creation), to: endpoint, newCall())
            } catch {
                try Task.checkCancellation()
                failure = error
                continue
            }
            return try await waitForEvent(in: response, atMost: limit)
        }
        throw StoreError.unreachable(members: endpoints.count, cause: failure)
    }

    private nonisolated(nonsending) func waitForEvent(
        in response: HTTP.Response,
        atMost limit: Duration
    ) async throws {
        // The event stream does not end by itself.
        let end = runtime.now.advanced(by: limit)
        let timer = runtime.timer(at: end, "end of a watch") { response.body.cancel() }
        defer {
            timer.cancel()
            response.body.cancel()
        }
        guard response.status == 200 else { throw StoreError.refused(response.status) }
        var seen = Data()
        do {
            for try await chunk in response.body {
                seen += chunk
                let text = String(decoding: seen, as: UTF8.self)
                if text.holds("\"events\"") { return }
                if text.holds("\"canceled\":true") { throw StoreError.watchEnded() }
                // Messages that announce the watch and keep it alive are short.
                if seen.count > 4096 { seen = Data(seen.suffix(64)) }
            }
        } catch is CancellationError {
            // Cancelled by the timer or by the caller.
            try Task.checkCancellation()
            return
        } catch let error as StoreError {
            throw error
        } catch {
            try Task.checkCancellation()
            throw StoreError.watchEnded(cause: error)
        }
        if runtime.now < end { throw StoreError.watchEnded() }
    }

    private nonisolated(nonsending) func ask<Response: Decodable>(
        _ method: String,
        _ message: some Encodable
    ) async throws -> Response {
        var failure: (any Error)?
        // A single member is asked twice, because a persistent connection may have been closed meanwhile.
        for number in 0..<max(2, endpoints.count) {
            do {
                let endpoint = endpoints[number % endpoints.count]
                let call = newCall()
                let response = try await send(method, message, to: endpoint, call)
                return try await decode(from: response, call)
            } catch let error as StoreError where error.code == .malformedResponse {
                throw wording(error)
            } catch {
                try Task.checkCancellation()
                failure = error
            }
        }
        throw wording(
            failure as? StoreError ?? .unreachable(members: endpoints.count, cause: failure)
        )
    }

    private func newCall() -> Call { Call(runtime: runtime).withDeadline(within: timeout) }

    private nonisolated(nonsending) func send(
        _ method: String,
        _ message: some Encodable,
        to endpoint: HTTP.URL,
        _ call: Call
    ) async throws -> HTTP.Response {
        let url = HTTP.URL("/v3/\(raw: method)").joined(to: endpoint)
        let request = try HTTP.Request.post(url).json(message)
        return try await pipeline.run(request, call: call)
    }

    private nonisolated(nonsending) func decode<Response: Decodable>(
        from response: HTTP.Response,
        _ call: Call
    ) async throws -> Response {
        guard response.status == 200 else {
            await response.discard(on: runtime)
            throw StoreError.refused(response.status)
        }
        do {
            let data = try await response.body
                .limited(to: call.remaining ?? timeout, of: call, by: "EtcdGateway")
                .collect(upTo: Self.responseLimit)
            return try JSONDecoder().decode(Response.self, from: data)
        } catch let error where error is DecodingError || error is HTTP.ContentError {
            throw StoreError.malformed(cause: error is HTTP.ContentError ? error : nil)
        }
    }
}
