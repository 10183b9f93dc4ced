extension HandWritten {
    /// Passes a number through `depth` layers that each add one: 0, 1, 4 or a multiple of 8.
    public nonisolated(nonsending) func change(_ input: Int, depth: Int) async throws -> Int {
        switch depth {
        case 0: answer(to: input)
        case 1: try await eighthChange(input, rounds: 1)
        case 4: try await fifthChange(input, rounds: 1)
        default: try await firstChange(input, rounds: depth / 8)
        }
    }

    @inline(never)
    private nonisolated(nonsending) func firstChange(
        _ input: Int,
        rounds: Int
    ) async throws -> Int {
        try await secondChange(input &+ 1, rounds: rounds)
    }

    @inline(never)
    private nonisolated(nonsending) func secondChange(
        _ input: Int,
        rounds: Int
    ) async throws -> Int {
        try await thirdChange(input &+ 1, rounds: rounds)
    }

    @inline(never)
    private nonisolated(nonsending) func thirdChange(
        _ input: Int,
        rounds: Int
    ) async throws -> Int {
        try await fourthChange(input &+ 1, rounds: rounds)
    }

    @inline(never)
    private nonisolated(nonsending) func fourthChange(
        _ input: Int,
        rounds: Int
    ) async throws -> Int {
        try await fifthChange(input &+ 1, rounds: rounds)
    }

    @inline(never)
    private nonisolated(nonsending) func fifthChange(
        _ input: Int,
        rounds: Int
    ) async throws -> Int {
        try await sixthChange(input &+ 1, rounds: rounds)
    }

    @inline(never)
    private nonisolated(nonsending) func sixthChange(
        _ input: Int,
        rounds: Int
    ) async throws -> Int {
        try await seventhChange(input &+ 1, rounds: rounds)
    }

    @inline(never)
    private nonisolated(nonsending) func seventhChange(
        _ input: Int,
        rounds: Int
    ) async throws -> Int {
        try await eighthChange(input &+ 1, rounds: rounds)
    }

    @inline(never)
    private nonisolated(nonsending) func eighthChange(
        _ input: Int,
        rounds: Int
    ) async throws -> Int {
        guard rounds > 1 else { return answer(to: input &+ 1) }
        return try await firstChange(input &+ 1, rounds: rounds - 1)
    }
}
