/// A piece of work that can be repeated, and the response that shows it was done.
public struct Workload: Sendable {
    /// What failures are reported under.
    public let name: String

    let answer: Int
    let body: @Sendable (Int) async throws -> Int

    /// Describes a piece of work.
    /// - Parameters:
    ///   - name: What failures are reported under.
    ///   - answer: What one repetition yields.
    ///   - body: Repeats the work a number of times and returns the sum of what it yielded. It
    ///     holds the loop itself, so that nothing is called between two repetitions.
    public init(
        _ name: String,
        answer: Int,
        repeating body: @escaping @Sendable (_ count: Int) async throws -> Int
    ) {
        self.name = name
        self.answer = answer
        self.body = body
    }

    /// Repeats the work and checks what it yields.
    /// - Returns: The number of repetitions.
    @discardableResult
    public func run(_ count: Int) async throws -> Int {
        let sum = try await body(count)
        guard sum == answer * count else { throw WrongAnswer(name: name, sum: sum, count: count) }
        return count
    }
}

/// A workload that did not do its work.
public struct WrongAnswer: Error, CustomStringConvertible {
    let name: String
    let sum: Int
    let count: Int

    public var description: String {
        "\(name) summed up to \(sum) in \(count) repetitions, which is not its answer; "
            + "its figures would mean nothing."
    }
}
