import Foundation
import InterceptorKit

/// A feed of events that survives restarts of its server, and what it takes to prove it.
@main
enum EventFeed {
    static func main() async throws {
        var settings: [String: String] = [:]
        var rest = CommandLine.arguments.dropFirst(2)
        while let name = rest.popFirst(), let value = rest.popFirst() {
            settings[String(name.drop { $0 == "-" })] = value
        }
        let port = settings["port"].flatMap { Int($0) } ?? 8080
        switch CommandLine.arguments.dropFirst().first {
        case "serve":
            let store = try await FileEventStore(settings["file"] ?? "feed.jsonl")
            try await serve(HTTP.EventBroadcaster(store), port: port)
        case "load":
            let load = try Load(
                HTTP.Origin(scheme: "http", host: "127.0.0.1", port: port),
                events: settings["events"].flatMap { Int($0) } ?? 1000,
                clients: settings["clients"].flatMap { Int($0) } ?? 10
            )
            exit(try await load.run() ? 0 : 1)
        default:
            print("EventFeed serve --port 8080 --file feed.jsonl")
            print("          load --port 8080 --events 1000 --clients 10")
            exit(2)
        }
    }
}
