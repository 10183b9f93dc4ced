#if Logging
import InterceptorKit
import Logging

/// The text of log lines, from the attributes of events, which are redacted.
enum LogText {
    /// Returns a line such as `GET https://api.example.com/orders/7: 200 OK after 0.12 s`.
    static func end(of event: Event, _ began: Runtime.Instant?) -> String {
        let time = began.map { " after \($0.duration(to: event.instant).formattedSeconds)" }
        let input = event.attributes["input"]?.description
        return "\(input ?? "call"): \(outcome(of: event))\(time ?? "")"
    }

    /// Returns a line such as `retry.scheduled from RetryInterceptor`.
    static func detail(_ event: Event) -> String {
        guard isEnd(event) else {
            return "\(event.name) from \(event.source)"
        }
        return "attempt \(event.attempt) by \(event.source): \(outcome(of: event))"
    }

    static func metadata(of event: Event) -> Logger.Metadata {
        var metadata: Logger.Metadata = [:]
        // The line itself contains these.
        let isSaid = isEnd(event) ? ["input", "output", "error.message", "duration"] : []
        for (key, value) in event.attributes where !isSaid.contains(key) {
            metadata[key] = .string(line(value.description))
        }
        metadata["call"] = "\(event.call)"
        metadata["event"] = "\(event.name)"
        metadata["attempt"] = "\(event.attempt)"
        return metadata
    }

    /// Joins the lines of a text with `; `. A handler writes the text unchanged, and a line that a server chose could
    /// otherwise look like a log line.
    static func line(_ text: String) -> String {
        text.replacingControls { $0 == "\t" || $0 == "\n" }
            .split(at: "\n", omittingEmptySubsequences: false).joined(separator: "; ")
    }

    private static func isEnd(_ event: Event) -> Bool {
        guard case .ended = event.phase, let kind = event.activity?.kind else { return false }
        return kind == .call || kind == .transport
    }

    private static func outcome(of event: Event) -> String {
        if case .ended(.cancelled) = event.phase { return "cancelled" }
        let said = event.attributes["error.message"] ?? event.attributes["output"]
        return said?.description ?? "done"
    }
}
#endif
