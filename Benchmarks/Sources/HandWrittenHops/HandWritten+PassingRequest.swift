public import InterceptorKit

extension HandWritten {
    /// Passes a request through `depth` layers: 0, 1, 4 or a multiple of 8.
    public nonisolated(nonsending) func pass(
        _ request: HTTP.Request,
        depth: Int
    ) async throws -> HTTP.Response {
        switch depth {
        case 0: answer(to: request)
        case 1: try await eighthPass(request, rounds: 1)
        case 4: try await fifthPass(request, rounds: 1)
        default: try await firstPass(request, rounds: depth / 8)
        }
    }

    @inline(never)
    private nonisolated(nonsending) func firstPass(
        _ request: HTTP.Request,
        rounds: Int
    ) async throws -> HTTP.Response {
        try await secondPass(request, rounds: rounds)
    }

    @inline(never)
    private nonisolated(nonsending) func secondPass(
        _ request: HTTP.Request,
        rounds: Int
    ) async throws -> HTTP.Response {
        try await thirdPass(request, rounds: rounds)
    }

    @inline(never)
    private nonisolated(nonsending) func thirdPass(
        _ request: HTTP.Request,
        rounds: Int
    ) async throws -> HTTP.Response {
        try await fourthPass(request, rounds: rounds)
    }

    @inline(never)
    private nonisolated(nonsending) func fourthPass(
        _ request: HTTP.Request,
        rounds: Int
    ) async throws -> HTTP.Response {
        try await fifthPass(request, rounds: rounds)
    }

    @inline(never)
    private nonisolated(nonsending) func fifthPass(
        _ request: HTTP.Request,
        rounds: Int
    ) async throws -> HTTP.Response {
        try await sixthPass(request, rounds: rounds)
    }

    @inline(never)
    private nonisolated(nonsending) func sixthPass(
        _ request: HTTP.Request,
        rounds: Int
    ) async throws -> HTTP.Response {
        try await seventhPass(request, rounds: rounds)
    }

    @inline(never)
    private nonisolated(nonsending) func seventhPass(
        _ request: HTTP.Request,
        rounds: Int
    ) async throws -> HTTP.Response {
        try await eighthPass(request, rounds: rounds)
    }

    @inline(never)
    private nonisolated(nonsending) func eighthPass(
        _ request: HTTP.Request,
        rounds: Int
    ) async throws -> HTTP.Response {
        guard rounds > 1 else { return answer(to: request) }
        return try await firstPass(request, rounds: rounds - 1)
    }
}
