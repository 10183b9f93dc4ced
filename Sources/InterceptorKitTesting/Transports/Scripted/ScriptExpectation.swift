public import InterceptorKit

/// An input a script expects, and how it answers.
///
/// ```swift
/// let transport = ScriptedTransport<HTTP.Request>(expecting: [
///     .get("/orders/7", .status(503), .json(#"{"id": 7}"#)),
///     .post("/orders", .status(201)).header("Content-Type", "application/json"),
///     .when("any deletion", { $0.method == .delete }, .status(204)).repeating(),
/// ])
/// ```
public struct ScriptExpectation<Input: Interceptable>: Sendable {
    /// Says what is expected, in reports.
    public let name: String

    var conditions: [ScriptCondition<Input>]
    let replies: [ScriptStep<Input>]
    private(set) var isRepeating = false
    private(set) var isOptional = false

    /// Creates an expectation.
    /// - Parameters:
    ///   - name: Says what is expected, in reports.
    ///   - conditions: All that must hold; none means any input.
    ///   - replies: One for each match, in order.
    public init(
        _ name: String,
        _ conditions: [ScriptCondition<Input>],
        replies: [ScriptStep<Input>]
    ) {
        self.name = name
        self.conditions = conditions
        self.replies = replies
    }

    /// Expects what a predicate accepts.
    /// - Parameters:
    ///   - name: Says what is expected, in reports.
    ///   - predicate: Whether an input is meant.
    ///   - replies: One for each match, in order.
    public static func when(
        _ name: String,
        _ predicate: @escaping @Sendable (Input) -> Bool,
        _ replies: ScriptStep<Input>...
    ) -> ScriptExpectation {
        let condition = ScriptCondition<Input> { input, _ in
            predicate(input) ? nil : ScriptDifference("its predicate refuses the input")
        }
        return ScriptExpectation(name, [condition], replies: replies)
    }

    /// Expects anything.
    /// - Parameter replies: One for each match, in order.
    public static func any(_ replies: ScriptStep<Input>...) -> ScriptExpectation {
        ScriptExpectation("anything", [], replies: replies)
    }

    /// Returns this expectation with a condition more.
    public func matching(_ condition: ScriptCondition<Input>) -> ScriptExpectation {
        var changed = self
        changed.conditions.append(condition)
        return changed
    }

    /// Returns this expectation with its last reply given to every further match.
    public func repeating() -> ScriptExpectation {
        var changed = self
        changed.isRepeating = true
        return changed
    }

    /// Returns this expectation as one that need not be met: it is never reported as unused.
    public func optional() -> ScriptExpectation {
        var changed = self
        changed.isOptional = true
        return changed
    }

    func differences(from input: Input, _ body: HTTP.CapturedBody?) -> [ScriptDifference] {
        conditions.compactMap { $0.compare(input, body) }
    }
}
