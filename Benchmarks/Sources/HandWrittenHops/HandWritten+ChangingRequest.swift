public import InterceptorKit

extension HandWritten {
    /// Passes a request through `depth` layers that each set its method: 0, 1, 4 or a
    /// multiple of 8.
    public nonisolated(nonsending) func change(
        _ request: HTTP.Request,
        depth: Int
    ) async throws -> HTTP.Response {
        switch depth {
        case 0: answer(to: request)
        case 1: try await eighthChange(request, rounds: 1)
        case 4: try await fifthChange(request, rounds: 1)
        default: try await firstChange(request, rounds: depth / 8)
        }
    }

    @inline(never)
    private nonisolated(nonsending) func firstChange(
        _ request: HTTP.Request,
        rounds: Int
    ) async throws -> HTTP.Response {
        var request = request
        request.method = method
        return try await secondChange(request, rounds: rounds)
    }

    @inline(never)
    private nonisolated(nonsending) func secondChange(
        _ request: HTTP.Request,
        rounds: Int
    ) async throws -> HTTP.Response {
        var request = request
        request.method = method
        return try await thirdChange(request, rounds: rounds)
    }

    @inline(never)
    private nonisolated(nonsending) func thirdChange(
        _ request: HTTP.Request,
        rounds: Int
    ) async throws -> HTTP.Response {
        var request = request
        request.method = method
        return try await fourthChange(request, rounds: rounds)
    }

    @inline(never)
    private nonisolated(nonsending) func fourthChange(
        _ request: HTTP.Request,
        rounds: Int
    ) async throws -> HTTP.Response {
        var request = request
        request.method = method
        return try await fifthChange(request, rounds: rounds)
    }

    @inline(never)
    private nonisolated(nonsending) func fifthChange(
        _ request: HTTP.Request,
        rounds: Int
    ) async throws -> HTTP.Response {
        var request = request
        request.method = method
        return try await sixthChange(request, rounds: rounds)
    }

    @inline(never)
    private nonisolated(nonsending) func sixthChange(
        _ request: HTTP.Request,
        rounds: Int
    ) async throws -> HTTP.Response {
        var request = request
        request.method = method
        return try await seventhChange(request, rounds: rounds)
    }

    @inline(never)
    private nonisolated(nonsending) func seventhChange(
        _ request: HTTP.Request,
        rounds: Int
    ) async throws -> HTTP.Response {
        var request = request
        request.method = method
        return try await eighthChange(request, rounds: rounds)
    }

    @inline(never)
    private nonisolated(nonsending) func eighthChange(
        _ request: HTTP.Request,
        rounds: Int
    ) async throws -> HTTP.Response {
        var request = request
        request.method = method
        guard rounds > 1 else { return answer(to: request) }
        return try await firstChange(request, rounds: rounds - 1)
    }
}
