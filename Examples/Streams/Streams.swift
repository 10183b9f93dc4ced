import InterceptorKit
import InterceptorKitStreaming
import InterceptorKitTesting
import InterceptorKitTransport

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif
#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Watches the departures of a station while their stream is broken three times, and shows that none is lost.
/// Everything happens on this machine.
@main
struct Streams {
    static func main() async {
        do {
            try await run()
            print("streams: ok")
        } catch {
            print("streams: failed: \(error)")
            exit(1)
        }
    }

    private static func run() async throws {
        let board = Board(departures: 32)
        let server = try LoopbackServer { request in await board.reply(to: request) }
        defer { server.stop() }
        let transport = URLSessionTransport()
        defer { transport.close() }
        let client = try HTTP.Client(transport: transport) {
            BaseURLInterceptor(HTTP.URL("\(server.origin)"))
        }
        var options = HTTP.EventSourceOptions()
        options.minimumInterval = .milliseconds(600)

        var seen: [String] = []
        for try await update in client.events(.get("/departures"), options: options).updates {
            switch update {
            case .opened(let response):
                let from = response.request?.headers["Last-Event-ID"]
                print("● connected\(from.map { ", asking for what follows \($0)" } ?? "")")
            case .event(let event):
                seen.append(event.id ?? "")
                print("  \(event.id ?? "")  \(event.data)")
            case .comment:
                print("  ·  the server is alive")
            case .willReconnect(let delay, let error):
                print("✕ \(error)")
                print("  another connection in \(delay.formatted)")
            case .ended(let error):
                if let error { throw error }
                print("● the server has said that there are no more\n")
            }
        }
        let expected = board.departures.indices.map { Board.id(of: $0) }
        guard seen == expected else { throw Unexpected(description: "These came: \(seen)") }
        print("streams: \(seen.count) events over 3 breaks, 0 lost, 0 doubled")
    }
}

struct Unexpected: Error, CustomStringConvertible {
    let description: String
}

extension Duration {
    /// As in `0.62 s`.
    fileprivate var formatted: String { "\(Double(Int(self / .milliseconds(10))) / 100) s" }
}
