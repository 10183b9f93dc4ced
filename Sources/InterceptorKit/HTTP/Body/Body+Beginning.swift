#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif

extension HTTP.Body {
    /// The beginning of a body, read within a limit of size and time.
    package struct Beginning: Sendable {
        /// What follows the bytes.
        package enum End: Sendable {
            /// Nothing follows: the bytes are the whole body.
            case whole
            /// More follows, or may follow: the bytes fill the limit.
            case longer
            /// The rest did not arrive in time, and was released.
            case late
            /// The rest will not arrive, because of this error.
            case broken(any Error)
        }

        /// The bytes, up to the limit.
        package let bytes: Data
        /// What follows the bytes.
        package let end: End
    }

    /// Reads the beginning; the body can still be read in full.
    ///
    /// If the body's end does not arrive in time, the body is released, because a transport cannot stop
    /// waiting and go on later: reading on then throws.
    /// - Parameters:
    ///   - limit: The number of bytes to read.
    ///   - time: The longest time for reading.
    ///   - runtime: The call's clock.
    /// - Throws: `CancellationError` if the task is cancelled.
    package nonisolated(nonsending) func beginning(
        upTo limit: Int,
        within time: Duration,
        on runtime: Runtime
    ) async throws -> Beginning {
        if let inMemory {
            let end: Beginning.End = inMemory.count > limit ? .longer : .whole
            return Beginning(bytes: inMemory.prefix(Swift.max(0, limit)), end: end)
        }
        let seen = await withTaskGroup { group in
            group.addTask { () -> Result<Data, any Error>? in
                do { return .success(try await peek(upTo: limit)) } catch {
                    return .failure(error)
                }
            }
            group.addTask {
                try? await runtime.sleep(for: time)
                return nil
            }
            let first = await group.next() ?? nil
            // For streams that do not listen to their reader's task.
            if first == nil { cancel() }
            group.cancelAll()
            return first
        }
        try Task.checkCancellation()
        switch seen {
        case .success(let bytes):
            // Whether there is more than fills the limit is not waited for.
            let isWhole = bytes.count < limit || bytes.count == limit && length == limit
            return Beginning(
                bytes: bytes.prefix(Swift.max(0, limit)),
                end: isWhole ? .whole : .longer
            )
        case .failure(let error) where !(error is CancellationError):
            return Beginning(bytes: await early(limit), end: .broken(error))
        case .failure, nil:
            return Beginning(bytes: await early(limit), end: .late)
        }
    }

    private nonisolated(nonsending) func early(_ limit: Int) async -> Data {
        ((try? await peek(upTo: 0)) ?? Data()).prefix(Swift.max(0, limit))
    }
}

extension HTTP.Body.Beginning {
    /// The bytes, if they are the whole body.
    package var whole: Data? { if case .whole = end { bytes } else { nil } }

    /// The reason why the body will not arrive; `nil` if it will, or if somebody else has read it.
    package var failure: TransportError? {
        switch end {
        case .whole, .longer:
            return nil
        case .late:
            return TransportError(
                .timedOut,
                "The rest of the response's body did not arrive in time."
            )
        case .broken(let error):
            if error is HTTP.BodyError { return nil }
            return error as? TransportError
                ?? TransportError(
                    .connectionLost,
                    "The rest of the response's body did not arrive.",
                    cause: error
                )
        }
    }
}
