import InterceptorKit
import InterceptorKitStreaming

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Writes events as a `text/event-stream` (WHATWG HTML, section 9.2.5).
enum EventEncoding {
    static let headers: HTTP.Headers = ["Content-Type": "text/event-stream"]

    static func bytes(of events: some Sequence<HTTP.ServerSentEvent>) -> Data {
        var text = ""
        for event in events { append(event, to: &text) }
        return Data(text.utf8)
    }

    private static func append(_ event: HTTP.ServerSentEvent, to text: inout String) {
        if event.type != "message" { text += "event: \(event.type)\n" }
        if let id = event.id { text += "id: \(id)\n" }
        if let retry = event.retry { text += "retry: \(Int(retry / .milliseconds(1)))\n" }
        for line in event.data.split(at: "\n", omittingEmptySubsequences: false) {
            text += "data: \(line)\n"
        }
        text += "\n"
    }

    /// Returns the index after the event with an id, or that of the first event if no event has it.
    static func start(in events: [HTTP.ServerSentEvent], after id: String?) -> Int {
        guard let id, let last = events.lastIndex(where: { $0.id == id }) else { return 0 }
        return last + 1
    }
}
