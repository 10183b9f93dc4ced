import InterceptorKit
import InterceptorKitStreaming
import InterceptorKitTesting

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A board of departures, served as events after the one that the client has. Three connections break: one in
/// the middle of an event, one between the two bytes of a character, one by a reset.
struct Board: Sendable {
    let departures: [String]

    init(departures count: Int) {
        let places = ["Zürich HB", "Genève", "Chur", "Basel SBB", "Lugano", "St. Gallen", "Brig"]
        departures = (0..<count).map { number in
            let minute = number * 7
            let time = "\(8 + minute / 60):\(minute % 60 < 10 ? "0" : "")\(minute % 60)"
            return "\(time)  \(places[number % places.count]), platform \(number % 9 + 1)"
        }
    }

    static func id(of index: Int) -> String { index < 9 ? "0\(index + 1)" : "\(index + 1)" }

    func reply(to request: LoopbackServer.Request) async -> LoopbackServer.Reply {
        let last = request.headers["Last-Event-ID"].flatMap { Int($0) } ?? 0
        guard last < departures.count else { return .status(204) }
        var text = ": welcome\n\n"
        for index in last..<departures.count {
            text += "id: \(Self.id(of: index))\ndata: \(departures[index])\n\n"
        }
        let bytes = Data(text.utf8)
        let reply = LoopbackServer.Reply.status(
            200,
            headers: ["Content-Type": "text/event-stream"],
            body: bytes
        )
        .chunked().throttled(bytes: 64, every: .milliseconds(40))
        switch request.number {
        case 1: return reply.truncated(after: 333)
        case 2: return reply.truncated(after: Self.middleOfCharacter(in: bytes, from: 300))
        case 3: return reply.resetInBody(after: 500)
        default: return reply
        }
    }

    private static func middleOfCharacter(in bytes: Data, from start: Int) -> Int {
        bytes.indices.first { $0 > start && bytes[$0] & 0xC0 == 0x80 } ?? start
    }
}
