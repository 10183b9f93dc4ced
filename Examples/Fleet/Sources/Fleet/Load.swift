import Foundation
import InterceptorKit
import InterceptorKitCurl
import InterceptorKitSigning

/// Clients that repeat their orders until each is acknowledged, and somebody who sends again what was signed.
struct Load {
    private struct Outcome: Sendable {
        var order: Int
        var acknowledged: String
        /// One attempt as it was sent, signature and all.
        var signed: HTTP.Request?
    }

    private let front: HTTP.Origin
    private let replicas: [HTTP.Origin]
    private let ledger: Ledger
    private let orders: Int
    private let progress: String
    private let transport: CurlTransport

    init(front: Int, replicas: [Int], ledger: Ledger, orders: Int, progress: String) throws {
        self.front = HTTP.Origin(scheme: "http", host: "127.0.0.1", port: front)
        self.replicas = replicas.map { HTTP.Origin(scheme: "http", host: "127.0.0.1", port: $0) }
        self.ledger = ledger
        self.orders = orders
        self.progress = progress
        transport = try CurlTransport()
    }

    /// Runs until each order is acknowledged, and says whether each was made once and no signature passed twice.
    func run() async throws -> Bool {
        var outcomes: [Outcome] = []
        try await withThrowingTaskGroup(of: Outcome.self) { group in
            for order in 0..<orders {
                if order >= 8, let outcome = try await group.next() { outcomes.append(outcome) }
                try note(outcomes.count)
                group.addTask { try await place(order) }
            }
            for try await outcome in group {
                outcomes.append(outcome)
                try note(outcomes.count)
            }
        }
        let made = try ledger.orders()
        let lost = outcomes.count { !made.contains($0.acknowledged) }
        let doubled = made.count - Set(made.compactMap { $0.split(separator: " ").first }).count
        var (replays, accepted) = (0, 0)
        for signed in outcomes.compactMap(\.signed) {
            for replica in replicas {
                replays += 1
                if try await isAccepted(signed, by: replica) { accepted += 1 }
            }
        }
        print("\(outcomes.count) \(lost) \(doubled) \(replays) \(accepted)")
        return lost == 0 && doubled == 0 && accepted == 0 && outcomes.count == orders
    }

    private func note(_ count: Int) throws {
        try Data("\(count)\n".utf8).write(to: URL(fileURLWithPath: progress), options: .atomic)
    }

    private func place(_ order: Int) async throws -> Outcome {
        let scheme = HMACScheme()
        while true {
            var request = HTTP.Request.post(
                "http://shop.example/orders",
                headers: ["Content-Type": "text/plain", "Idempotency-Key": "\"order-\(order)\""],
                body: .text("order-\(order)")
            )
            let freshness = SignatureFreshness(
                date: Runtime.live.date,
                nonce: "\(Runtime.live.random())"
            )
            let hash = HashAlgorithm.sha256.hash("order-\(order)".utf8)
            request = try scheme.sign(
                request,
                SigningContext(key: Fleet.key, freshness: freshness, bodyHash: hash)
            )
            if let response = try? await send(request, to: front), response.status == 200,
                let text = try? await response.text()
            {
                return Outcome(order: order, acknowledged: text, signed: request)
            }
            try await Runtime.live.sleep(for: .milliseconds(50))
        }
    }

    private func isAccepted(_ signed: HTTP.Request, by replica: HTTP.Origin) async throws -> Bool {
        try await send(signed, to: replica).status != 401
    }

    /// Sends a request, signed for the shop's own name, to a process.
    private func send(_ request: HTTP.Request, to origin: HTTP.Origin) async throws -> HTTP.Response
    {
        var request = request
        request.url = "\(origin)/orders"
        let call = Call().withDeadline(within: .seconds(10))
        return try await transport.send(request, call: call)
    }
}
