/// Counts what a program does, by another program that runs it.
protocol Counter: Sendable {
    /// Runs a program.
    /// - Returns: The count of all its threads, and what it printed.
    func count(
        of program: Subprocess,
        _ arguments: [String]
    ) throws -> (count: Int, output: String)
}
