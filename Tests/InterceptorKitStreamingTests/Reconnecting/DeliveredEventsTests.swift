import Expectations
import InterceptorKit
import Testing

@testable import InterceptorKitStreaming

@Suite("DeliveredEvents")
struct DeliveredEventsTests {
    /// The data of what is delivered of connections, in which `5:x` has the id 5, and `:x` none.
    private func delivered(capacity: Int = 10, _ connections: [[String]]) -> [String] {
        var delivered = DeliveredEvents(capacity: capacity)
        var taken: [String] = []
        for connection in connections {
            delivered.beginConnection()
            for text in connection {
                let parts = text.split(separator: ":", omittingEmptySubsequences: false)
                let id = parts[0].isEmpty ? nil : String(parts[0])
                let event = HTTP.ServerSentEvent(data: String(parts[1]), id: id)
                if delivered.take(event, hasOwnID: id != nil) { taken.append(text) }
            }
        }
        return taken
    }

    @Test("drops what comes again, up to the last event of the connection before")
    func overlap() {
        let events = delivered([["1:a", "2:b", "3:c"], ["2:b", "3:c", "4:d"]])

        expectEqual(events, ["1:a", "2:b", "3:c", "4:d"])
    }

    @Test("drops events without an id between those that come again, only")
    func withoutID() {
        let events = delivered([["1:a", ":x", "2:b"], ["1:a", ":x", "2:b", ":y", "3:c"]])

        expectEqual(events, ["1:a", ":x", "2:b", ":y", "3:c"])
    }

    @Test("delivers events without an id at the beginning of a connection")
    func afterBrokenReplay() {
        let events = delivered([["1:a", "2:b"], ["1:a"], [":x", "3:c"]])

        expectEqual(events, ["1:a", "2:b", ":x", "3:c"])
    }

    @Test("delivers other events of a server that numbers each connection from 1")
    func renumbered() {
        let events = delivered([["1:a", "2:b"], ["1:c", "2:d"]])

        expectEqual(events, ["1:a", "2:b", "1:c", "2:d"])
    }

    @Test("delivers an event twice that comes twice in one connection")
    func sameConnection() {
        expectEqual(delivered([["1:a", "1:a"]]), ["1:a", "1:a"])
    }

    @Test("delivers an old event again after a new one")
    func afterNew() {
        let events = delivered([["1:a", "2:b"], ["3:c", "1:a"]])

        expectEqual(events, ["1:a", "2:b", "3:c", "1:a"])
    }

    @Test("knows only the last ones, as many as it may keep")
    func capacity() {
        let first = (1...5).map { "\($0):x" }

        expectEqual(delivered(capacity: 2, [first, ["1:x", "5:x"]]), first + ["1:x", "5:x"])
        expectEqual(delivered(capacity: 2, [first, ["4:x", "5:x", "6:x"]]), first + ["6:x"])
        expectEqual(delivered(capacity: 0, [first, first]), first + first)
    }
}
