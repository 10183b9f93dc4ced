import InterceptorKit
import InterceptorKitLoopback

/// The replies of a scripted transport, and the number used so far.
struct Script<Input: Interceptable>: Sendable {
    enum Order: Sendable {
        /// Each send gets the next reply.
        case sequence
        /// Each send gets a reply of the first matching expectation that has one left.
        case dispatch
    }

    /// The step for a send, and its place in the script, for reports.
    struct Selection {
        let step: ScriptStep<Input>
        let place: String
    }

    let expectations: [ScriptExpectation<Input>]
    let order: Order
    private var uses: [Int]
    private var position = 0

    init(_ expectations: [ScriptExpectation<Input>], order: Order) {
        self.expectations = expectations
        self.order = order
        uses = expectations.map { _ in 0 }
    }

    /// The expected inputs that were not sent, one line each.
    var unused: [String] {
        zip(expectations, uses).compactMap { expectation, uses in
            let count = max(1, expectation.replies.count)
            guard uses < count, !expectation.isOptional else { return nil }
            return count == 1
                ? expectation.name : "\(expectation.name) (\(uses) of \(count) replies used)"
        }
    }

    mutating func next(_ input: Input, _ body: HTTP.CapturedBody?, send: Int) throws -> Selection {
        switch order {
        case .sequence: try nextInSequence(input, body, send: send)
        case .dispatch: try firstMatch(input, body, send: send)
        }
    }

    private mutating func nextInSequence(
        _ input: Input,
        _ body: HTTP.CapturedBody?,
        send: Int
    ) throws -> Selection {
        while position < expectations.count {
            let expectation = expectations[position]
            guard expectation.isRepeating || uses[position] < expectation.replies.count else {
                position += 1
                continue
            }
            let differences = expectation.differences(from: input, body)
            if differences.isEmpty { return try use(position) }
            // A repeated or optional turn ends where the next one begins.
            let mayEnd = expectation.isOptional || (expectation.isRepeating && uses[position] > 0)
            guard mayEnd, position + 1 < expectations.count else {
                throw unmatched(input, send, "is not what comes next", expectation, differences)
            }
            position += 1
        }
        throw exhausted(input, send)
    }

    private mutating func firstMatch(
        _ input: Input,
        _ body: HTTP.CapturedBody?,
        send: Int
    ) throws -> Selection {
        var usedUp: String?
        var nearest: (index: Int, distance: Double, differences: [ScriptDifference])?
        for (index, expectation) in expectations.enumerated() {
            let differences = expectation.differences(from: input, body)
            if differences.isEmpty {
                if uses[index] < expectation.replies.count || expectation.isRepeating {
                    return try use(index)
                }
                usedUp = usedUp ?? expectation.name
            }
            // The mean, so that an expectation with more conditions does not count as more distant.
            let distance =
                differences.reduce(0) { $0 + $1.distance }
                / Double(max(1, expectation.conditions.count))
            if distance < nearest?.distance ?? .infinity {
                nearest = (index, distance, differences)
            }
        }
        if let usedUp {
            throw TestKitError(
                .exhausted,
                "Send \(send), \(input), matches \"\(usedUp)\", whose replies are used up. Give "
                    + "it another reply, or let the last one repeat.",
                nearest: usedUp
            )
        }
        guard let nearest else { throw exhausted(input, send) }
        throw unmatched(
            input,
            send,
            "matches nothing in the script",
            expectations[nearest.index],
            nearest.differences
        )
    }

    private mutating func use(_ index: Int) throws -> Selection {
        let expectation = expectations[index]
        let number = min(uses[index], expectation.replies.count - 1)
        guard number >= 0 else {
            throw TestKitError(.invalidStep, "\"\(expectation.name)\" has no reply.")
        }
        uses[index] += 1
        let place = expectation.replies.count == 1 ? "" : ", reply \(number + 1)"
        return Selection(
            step: expectation.replies[number],
            place: expectation.name + place
        )
    }

    private func exhausted(_ input: Input, _ send: Int) -> TestKitError {
        let count = expectations.reduce(0) { $0 + $1.replies.count }
        let replies = count == 1 ? "1 reply" : "\(count) replies"
        return TestKitError(
            .exhausted,
            "The script has \(replies) and this is send \(send): \(input)."
        )
    }

    private func unmatched(
        _ input: Input,
        _ send: Int,
        _ result: String,
        _ nearest: ScriptExpectation<Input>,
        _ differences: [ScriptDifference]
    ) -> TestKitError {
        let relation = order == .sequence ? "Next is" : "Nearest is"
        let reasons = differences.map(\.description)
        return TestKitError(
            .unmatched,
            "Send \(send), \(input), \(result). \(relation) \"\(nearest.name)\": "
                + "\(reasons.joined(separator: "; ")).",
            nearest: nearest.name,
            differences: reasons
        )
    }
}
