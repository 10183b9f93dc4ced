import InterceptorKit
import InterceptorKitStreaming

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The events of a scripted stream, and the behavior of its connections.
struct EventScript: Sendable {
    enum Behavior: Sendable {
        case breaks(after: Int, by: ScriptedEventStream.Break)
        case answers(HTTP.Response)
        case fails(any Error)
    }

    let events: [HTTP.ServerSentEvent]
    let times: [Duration]
    /// The behaviors of the first connections; later ones serve whole bodies.
    var behaviors: [Behavior] = []
    var chunkSize: Int?
    var cursor: @Sendable (HTTP.Request) -> String? = { $0.headers["Last-Event-ID"] }

    init(events: [HTTP.ServerSentEvent], times: [Duration]) {
        self.events = events
        self.times = times
    }

    /// - Parameter number: The number of the connection, from 0.
    func response(
        to connection: ScriptedEventStream.Connection,
        number: Int,
        over openBodies: OpenBodies,
        on runtime: Runtime
    ) throws -> HTTP.Response {
        var limit = Int.max
        var end = ScriptedEventStream.Break.end
        switch behaviors.indices.contains(number) ? behaviors[number] : nil {
        case .answers(let response): return response
        case .fails(let error): throw error
        case .breaks(let bytes, let way): (limit, end) = (bytes, way)
        case nil: break
        }
        let start = EventEncoding.start(in: events, after: connection.lastEventID)
        if start == events.count, limit == .max {
            return HTTP.Response(204)
        }
        let body = ScriptedEventBody(
            pieces: pieces(from: start, limit: limit),
            end: end,
            openBodies,
            runtime
        )
        return HTTP.Response(200, headers: EventEncoding.headers, body: .oneShot(body))
    }

    private func pieces(from start: Int, limit: Int) -> [ScriptedEventBody.Piece] {
        var pieces: [ScriptedEventBody.Piece] = []
        var rest = limit
        for index in start..<events.count where rest > 0 {
            var bytes = EventEncoding.bytes(of: events[index...index]).prefix(rest)
            rest -= bytes.count
            while !bytes.isEmpty {
                let chunk = bytes.prefix(chunkSize ?? bytes.count)
                bytes = bytes.dropFirst(chunk.count)
                pieces.append(.init(time: times[index], bytes: Data(chunk)))
            }
        }
        return pieces
    }
}
