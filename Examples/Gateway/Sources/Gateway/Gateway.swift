import Foundation
import InterceptorKit

/// A service before two others, and what it takes to watch it lose one of them.
@main
enum Gateway {
    static func main() async throws {
        let arguments = Arguments(CommandLine.arguments.dropFirst())
        switch arguments.command {
        case "serve":
            try await serve(
                port: arguments.number("port", 8080),
                orders: arguments.origin("orders", 8081),
                prices: arguments.origin("prices", 8082),
                patience: Patience(call: .seconds(arguments.number("patience", 8)))
            )
        case "orders": try await serveOrders(port: arguments.number("port", 8081))
        case "prices": try await servePrices(port: arguments.number("port", 8082))
        case "load":
            let load = try Load(
                arguments.origin("gateway", 8080),
                perSecond: arguments.number("rate", 50),
                phaseFile: arguments.text("phase-file", "")
            )
            exit(try await load.run() ? 0 : 1)
        case "status": print(try await Probe(arguments.origin("gateway", 8080)).line())
        case "wait":
            let wait = Wait(
                upstream: arguments.text("upstream", "orders"),
                count: arguments.text("count", "answered"),
                least: arguments.number("least", 0),
                more: arguments.number("more", 0)
            )
            let probe = try Probe(arguments.origin("gateway", 8080))
            let isOver = try await probe.wait(wait, seconds: arguments.number("within", 60))
            exit(isOver ? 0 : 1)
        case "trace":
            let isWhole = try await Probe(arguments.origin("gateway", 8080)).trace()
            exit(isWhole ? 0 : 1)
        case "drain":
            let probe = try Probe(arguments.origin("gateway", 8080))
            let isComplete = try await probe.drain(
                arguments.number("requests", 20),
                of: Int32(arguments.number("pid", 0))
            )
            exit(isComplete ? 0 : 1)
        default:
            print("Gateway serve | orders | prices, or")
            print("        load | status | wait | trace | drain, each with --name value")
            exit(2)
        }
    }
}

/// What follows a program's name: a command, and settings in pairs.
struct Arguments {
    let command: String
    private var settings: [String: String] = [:]

    init(_ words: ArraySlice<String>) {
        command = words.first ?? ""
        var rest = words.dropFirst()
        while let name = rest.popFirst(), let value = rest.popFirst() {
            settings[String(name.drop { $0 == "-" })] = value
        }
    }

    func text(_ name: String, _ fallback: String) -> String { settings[name] ?? fallback }

    func number(_ name: String, _ fallback: Int) -> Int {
        settings[name].flatMap { Int($0) } ?? fallback
    }

    /// A service on this machine, by its port.
    func origin(_ name: String, _ port: Int) -> HTTP.Origin {
        HTTP.Origin(scheme: "http", host: "127.0.0.1", port: number(name, port))
    }
}
