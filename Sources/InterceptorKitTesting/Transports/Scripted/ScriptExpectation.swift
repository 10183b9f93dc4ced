public import InterceptorKit

/// An input that a script expects, with its replies.
///
/// ```swift
/// let transport = ScriptedTransport<HTTP.Request>(expecting: [
///     .get("/orders/7", .status(503), .json(#"{"id": 7}"#)),
///     .post("/orders", .status(201)).header("Content-Type", "application/json"),
///     .when("any deletion", { $0.method == .delete }, .status(204)).repeating(),
/// ])
/// ```
public struct ScriptExpectation<Input: Interceptable>: Sendable {
    /// The name of the expectation, for reports.
    public let name: String

    var conditions: [ScriptCondition<Input>]
    let replies: [ScriptStep<Input>]
    private(set) var isRepeating = false
    private(set) var isOptional = false

    /// Creates an expectation.
    /// - Parameters:
    ///   - name: The name, for reports.
    ///   - conditions: The conditions that must all hold; none means any input.
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

    /// Returns an expectation with a predicate.
    /// - Parameters:
    ///   - name: The name, for reports.
    ///   - predicate: Whether an input matches.
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

    /// Returns an expectation of any input.
    /// - Parameter replies: One for each match, in order.
    public static func any(_ replies: ScriptStep<Input>...) -> ScriptExpectation {
        ScriptExpectation("anything", [], replies: replies)
    }

    /// Returns this expectation with one more condition.
    public func matching(_ condition: ScriptCondition<Input>) -> ScriptExpectation {
        var changed = self
        changed.conditions.append(condition)
        return changed
    }

    /// Returns this expectation with its last reply for every further match.
    public func repeating() -> ScriptExpectation {
        var changed = self
        changed.isRepeating = true
        return changed
    }

    /// Returns this expectation as optional: it is never reported as unused.
    public func optional() -> ScriptExpectation {
        var changed = self
        changed.isOptional = true
        return changed
    }

    func differences(from input: Input, _ body: HTTP.CapturedBody?) -> [ScriptDifference] {
        conditions.compactMap { $0.compare(input, body) }
    }
}
