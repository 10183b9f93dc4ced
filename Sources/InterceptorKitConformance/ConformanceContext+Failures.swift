package import InterceptorKit
package import InterceptorKitTesting

extension ConformanceContext {
    /// Expects an operation to throw, and returns the error.
    package nonisolated(nonsending) func failure<Value>(
        of what: String,
        _ operation: nonisolated(nonsending) () async throws -> Value
    ) async throws -> any Error {
        do {
            _ = try await operation()
        } catch {
            return error
        }
        throw ExpectationFailure("\(what) succeeded instead of failing.")
    }

    /// Expects a transport failure of one of the given codes.
    package nonisolated(nonsending) func transportError<Value>(
        _ codes: TransportError.Code...,
        of what: String,
        _ operation: nonisolated(nonsending) () async throws -> Value
    ) async throws -> TransportError {
        let error = try await failure(of: what, operation)
        guard let error = error as? TransportError else {
            throw ExpectationFailure(
                "\(what) threw \(type(of: error)) instead of a TransportError."
            )
        }
        try expect(
            codes.contains(error.code),
            "\(what) failed as \(error.code) instead of \(codes): \(error.message)"
        )
        return error
    }

    /// Expects the request to be rejected before it is sent.
    package nonisolated(nonsending) func refusal<Value>(
        of what: String,
        _ operation: nonisolated(nonsending) () async throws -> Value
    ) async throws -> HTTP.RequestError {
        let error = try await failure(of: what, operation)
        guard let error = error as? HTTP.RequestError else {
            throw ExpectationFailure(
                "\(what) threw \(type(of: error)) instead of an HTTP.RequestError."
            )
        }
        return error
    }

    /// Expects an operation to end as cancelled.
    package nonisolated(nonsending) func cancellation<Value>(
        of what: String,
        _ operation: nonisolated(nonsending) () async throws -> Value
    ) async throws {
        let error = try await failure(of: what, operation)
        try expect(
            error is CancellationError,
            "\(what) threw \(type(of: error)) instead of CancellationError: \(error)"
        )
    }

    /// Sends a GET whose response is expected to fail in its head or body.
    package nonisolated(nonsending) func brokenResponse(
        _ reply: LoopbackServer.Reply,
        _ codes: [TransportError.Code]
    ) async throws -> TransportError {
        let error = try await failure(of: "The exchange") { try await response(reply) }
        guard let error = error as? TransportError else {
            throw ExpectationFailure(
                "The exchange threw \(type(of: error)) instead of a TransportError."
            )
        }
        try expect(
            codes.contains(error.code),
            "The exchange failed as \(error.code) instead of \(codes): \(error.message)"
        )
        return error
    }
}
