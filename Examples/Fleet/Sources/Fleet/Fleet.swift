import Foundation
import InterceptorKit

/// Replicas that share limits, nonces and idempotency records, and what it takes to prove it.
@main
enum Fleet {
    static func main() async throws {
        var settings: [String: String] = [:]
        var rest = CommandLine.arguments.dropFirst(2)
        while let name = rest.popFirst(), let value = rest.popFirst() {
            settings[String(name.drop { $0 == "-" })] = value
        }
        let port = settings["port"].flatMap { Int($0) } ?? 8080
        let ledger = Ledger(folder: settings["ledger"] ?? "ledger")
        switch CommandLine.arguments.dropFirst().first {
        case "serve":
            try await serve(
                port: port,
                redis: settings["redis"] ?? "redis://127.0.0.1:6379",
                ledger: ledger
            )
        case "load":
            let replicas = (settings["replicas"] ?? "").split(separator: ",").compactMap { Int($0) }
            let load = try Load(
                front: port,
                replicas: replicas,
                ledger: ledger,
                orders: settings["orders"].flatMap { Int($0) } ?? 200,
                progress: settings["progress"] ?? "progress"
            )
            exit(try await load.run() ? 0 : 1)
        default:
            print("Fleet serve --port 8081 --redis redis://127.0.0.1:6379 --ledger ledger")
            print(
                "      load --port 8080 --replicas 8081,8082 --ledger ledger --orders 200 --progress FILE"
            )
            exit(2)
        }
    }

    /// What clients sign with and replicas verify.
    static let key = SigningKey(id: "shop", secret: "a secret of the example".utf8)
}
