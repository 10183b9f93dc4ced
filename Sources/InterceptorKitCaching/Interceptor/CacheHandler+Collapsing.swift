import InterceptorKit

extension CacheHandler {
    /// Whether it may wait for one that is the same: nothing that asks for a response of its own.
    var isCollapsible: Bool {
        guard rules.policy.collapsesRequests, cacheRequest.method == .get,
            !cacheRequest.hasOwnConditions
        else { return false }
        let directives = cacheRequest.directives
        return !directives.noStore && !directives.noCache && directives.maxAge != 0
            && cache.fetches.isWorthWaiting(for: key)
    }

    /// Goes to the server for all equal requests.
    nonisolated(nonsending) func lead(
        _ identity: InFlightFetches.Identity,
        _ stored: StoredResponse?,
        _ reason: String,
        _ fetch: CacheFetch
    ) async throws -> HTTP.Response {
        do {
            let response = try await send(stored, reason, fetch)
            var failure: (any Error)?
            if fetch.isStoring, !fetch.isStored, cache.fetches.isAwaited(identity) {
                failure = await complete(response)
            }
            cache.fetches.end(identity, failure.map(outcome) ?? outcome(response, fetch))
            return response
        } catch {
            cache.fetches.end(identity, outcome(error))
            throw error
        }
    }

    private func outcome(_ error: any Error) -> InFlightFetches.Outcome {
        let isOwn = error is CancellationError || call.remaining == .zero
        return isOwn ? .again : .failed(error)
    }

    private func outcome(
        _ response: HTTP.Response,
        _ fetch: CacheFetch
    ) -> InFlightFetches.Outcome {
        if response.cacheStatus == .stale { return .stale }
        if response.cacheStatus != .miss || fetch.isStored { return .stored }
        return Task.isCancelled ? .again : .alone
    }

    /// Reads a body that others wait for, so that it is stored whatever its caller does; the caller reads
    /// it from memory.
    /// - Returns: Why it broke off, as it does for the caller too.
    private nonisolated(nonsending) func complete(_ response: HTTP.Response) async -> (any Error)? {
        let limit = rules.policy.collapsingLimit
        if let length = response.body.length, length > limit { return nil }
        do {
            _ = try await response.body.peek(upTo: limit.saturatingAdding(1))
            return nil
        } catch {
            return error
        }
    }
}
