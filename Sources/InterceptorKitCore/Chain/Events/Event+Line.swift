extension Event {
    /// The event in one line, as logs show it: `GET https://api.example.com/orders/7 → 200 OK (120 ms)` for the end of
    /// a call, `attempt 2 by CurlTransport → 200 OK` for the end of a send, `retry.scheduled from RetryInterceptor` for
    /// other events. It is one line whatever its texts say: line breaks are `; `, other control characters U+FFFD.
    public var line: String { text.onOneLine }

    private var text: String {
        guard case .ended(let ending) = phase, let kind = activity?.kind else {
            return "\(name) from \(source)"
        }
        let failure = attributes.errorMessage.map { "failed: \($0)" }
        let outcome =
            ending == .cancelled ? "cancelled" : failure ?? attributes.output ?? ending.rawValue
        switch kind {
        case .call: return Event.line(attributes.input ?? "call", outcome, in: attributes.duration)
        case .transport: return Event.line("attempt \(attempt) by \(source)", outcome)
        default: return "\(name) from \(source)"
        }
    }

    /// Returns a line of a log: the input and the outcome, with the duration and the size if known.
    package static func line(
        _ input: String,
        _ outcome: String,
        in duration: Duration? = nil,
        size: Int? = nil
    ) -> String {
        let facts = [duration.map { milliseconds($0) }, size.map { "\($0) bytes" }].compactMap(
            \.self
        )
        return "\(input) → \(outcome)"
            + (facts.isEmpty ? "" : " (\(facts.joined(separator: ", ")))")
    }

    /// Returns a duration in whole milliseconds, as in `12 ms`.
    package static func milliseconds(_ duration: Duration) -> String {
        "\(Int(exactly: (duration.inSeconds * 1000).rounded()) ?? .max) ms"
    }
}
