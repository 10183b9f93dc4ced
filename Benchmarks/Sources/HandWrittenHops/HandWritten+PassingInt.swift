extension HandWritten {
    /// Passes a number through `depth` layers: 0, 1, 4 or a multiple of 8.
    public nonisolated(nonsending) func pass(_ input: Int, depth: Int) async throws -> Int {
        switch depth {
        case 0: answer(to: input)
        case 1: try await eighthPass(input, rounds: 1)
        case 4: try await fifthPass(input, rounds: 1)
        default: try await firstPass(input, rounds: depth / 8)
        }
    }

    @inline(never)
    private nonisolated(nonsending) func firstPass(_ input: Int, rounds: Int) async throws -> Int {
        try await secondPass(input, rounds: rounds)
    }

    @inline(never)
    private nonisolated(nonsending) func secondPass(_ input: Int, rounds: Int) async throws -> Int {
        try await thirdPass(input, rounds: rounds)
    }

    @inline(never)
    private nonisolated(nonsending) func thirdPass(_ input: Int, rounds: Int) async throws -> Int {
        try await fourthPass(input, rounds: rounds)
    }

    @inline(never)
    private nonisolated(nonsending) func fourthPass(_ input: Int, rounds: Int) async throws -> Int {
        try await fifthPass(input, rounds: rounds)
    }

    @inline(never)
    private nonisolated(nonsending) func fifthPass(_ input: Int, rounds: Int) async throws -> Int {
        try await sixthPass(input, rounds: rounds)
    }

    @inline(never)
    private nonisolated(nonsending) func sixthPass(_ input: Int, rounds: Int) async throws -> Int {
        try await seventhPass(input, rounds: rounds)
    }

    @inline(never)
    private nonisolated(nonsending) func seventhPass(
        _ input: Int,
        rounds: Int
    ) async throws -> Int {
        try await eighthPass(input, rounds: rounds)
    }

    @inline(never)
    private nonisolated(nonsending) func eighthPass(_ input: Int, rounds: Int) async throws -> Int {
        guard rounds > 1 else { return answer(to: input) }
        return try await firstPass(input, rounds: rounds - 1)
    }
}
