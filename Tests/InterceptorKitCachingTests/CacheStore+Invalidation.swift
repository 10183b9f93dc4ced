import Expectations
import InterceptorKit
import InterceptorKitCaching
import Synchronization
import TestSupport
import Testing

/// Commits responses and makes them out of date at the same time, on threads of their own: once what is
/// stored for the URL was removed, none may be found.
func expectNoneFoundAfterInvalidation(
    in store: some CacheStore,
    sourceLocation: SourceLocation = #_sourceLocation
) async throws {
    for round in 0..<500 {
        let response = StoredResponse.sample(id: UInt64(round))
        let writer = try await unwrap(store.writer(for: response, length: nil))
        try await writer.write(.sample(10))
        let isOutdated = Flag()

        try await withThrowingTaskGroup { group in
            group.addTask { _ = try await writer.commit(if: { !isOutdated.isSet }) }
            group.addTask {
                // Sooner or later than the commit, from round to round.
                for _ in 0..<(round % 50) { await Task.yield() }
                isOutdated.set()
                try await store.removeAll(for: response.key.url)
            }
            try await group.waitForAll()
        }

        try #require(
            try await store.responses(for: response.key).isEmpty,
            "in round \(round)",
            sourceLocation: sourceLocation
        )
    }
}

private final class Flag: Sendable {
    private let value = Atomic(false)

    var isSet: Bool { value.load(ordering: .acquiring) }

    func set() { value.store(true, ordering: .releasing) }
}
