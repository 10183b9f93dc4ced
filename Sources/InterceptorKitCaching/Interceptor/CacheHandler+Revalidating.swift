import InterceptorKit

extension CacheHandler {
    /// Asks the server in the background whether what was served stale still holds (RFC 5861 section 3).
    func revalidate(_ stored: StoredResponse) {
        let runtime = call.runtime
        let limit = rules.policy.revalidationLimit
        let background = call.detached(deadline: runtime.now.advanced(by: limit))
        let handler = CacheHandler(cache, chain.with(call: background), key)
        cache.fetches.revalidate(key) {
            runtime.start("revalidation") {
                await handler.revalidating(stored, until: limit)
            }
        }
    }

    private func revalidating(_ stored: StoredResponse, until limit: Duration) async {
        let runtime = call.runtime
        await withTaskGroup { group in
            group.addTask {
                _ = try? await call.activity(.call, "revalidation", from: "CacheInterceptor") {
                    call in
                    let handler = CacheHandler(cache, chain.with(call: call), key)
                    let fetch = cache.fetches.begin(key.url)
                    let response = try await handler.send(stored, "it was served stale", fetch)
                    // Stored as it is read.
                    for try await _ in response.body {}
                }
            }
            group.addTask { try? await runtime.sleep(for: limit) }
            await group.next()
            group.cancelAll()
        }
        cache.fetches.endRevalidation(key)
    }
}
