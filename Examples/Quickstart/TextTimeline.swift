import InterceptorKit
import Synchronization

/// Draws the way of each call through the chain as people would: indented down, and back up.
final class TextTimeline: EventSink {
    private let events = Mutex<[Event]>([])

    func record(_ event: Event) { events.withLock { $0.append(event) } }

    /// The calls since the last drawing, each with what happened to it.
    func drawn() -> String {
        let events = events.withLock { events in
            defer { events = [] }
            return events
        }
        var order: [Call.ID] = []
        for event in events where !order.contains(event.call) { order.append(event.call) }
        return order.map { id in draw(events.filter { $0.call == id }) }.joined(separator: "\n")
            + "\n"
    }

    private func draw(_ events: [Event]) -> String {
        guard let start = events.first?.instant else { return "" }
        var lines = ["  call \(events[0].call)"]
        var depth = 1
        for event in events {
            let elapsed = start.duration(to: event.instant)
            let milliseconds = Int(elapsed / .milliseconds(1))
            let time =
                String(repeating: " ", count: max(0, 5 - "\(milliseconds)".count))
                + "\(milliseconds) ms"
            switch event.name {
            case .entered:
                lines.append("\(time)  \(indent(depth))↓ \(event.source)")
                depth += 1
            case .left:
                depth -= 1
                let output = event.attributes["output"].map { " \($0)" } ?? ""
                lines.append("\(time)  \(indent(depth))↑ \(event.source)\(output)")
            case .failed, .cancelled:
                depth -= 1
                let type = event.attributes["error.type"].map { " \($0)" } ?? ""
                lines.append("\(time)  \(indent(depth))✗ \(event.source)\(type)")
            case _ where event.phase == .moment:
                lines.append("\(time)  \(indent(depth))· \(describe(event))")
            default:
                break
            }
        }
        return lines.joined(separator: "\n")
    }

    private func indent(_ depth: Int) -> String {
        String(repeating: "│ ", count: max(0, depth - 1))
    }

    private func describe(_ event: Event) -> String {
        let details = event.attributes.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }
        let name = event.name.description.split(separator: ".").joined(separator: " ")
            .replacing("_", with: " ")
        return details.isEmpty ? name : "\(name) (\(details.joined(separator: ", ")))"
    }
}
