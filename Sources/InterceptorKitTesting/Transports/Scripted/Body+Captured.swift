package import InterceptorKit

extension HTTP.Body {
    /// Reads a body that can be read again; returns `unread` for any other.
    /// - Parameter limit: The largest body read, in bytes. Defaults to `defaultLimit`.
    /// - Throws: Only `CancellationError`; other failures become `unread`.
    package nonisolated(nonsending) func captured(
        upTo limit: Int = defaultLimit
    ) async throws -> HTTP.CapturedBody {
        guard isReplayable else { return .unread(description) }
        do {
            return .bytes(try await collect(upTo: limit))
        } catch let error as CancellationError {
            throw error
        } catch {
            return .unread("\(self): \(error)")
        }
    }
}
