/// What each engine has to do beside what the conformance suite sees from outside.
package struct EngineScenario: Sendable {
    package typealias Making = @Sendable () throws -> any WatchedTransport

    package let name: String
    private let body: @Sendable (Making) async throws -> Void

    init(_ name: String, _ body: @escaping @Sendable (Making) async throws -> Void) {
        self.name = name
        self.body = body
    }

    package static let all = lifetimes + reusedConnections + failures + timeLimits + hosts

    /// - Parameter makeTransport: Makes one of its own for each trial.
    package func run(_ makeTransport: Making) async throws { try await body(makeTransport) }
}

extension EngineScenario: CustomStringConvertible {
    package var description: String { name }
}
