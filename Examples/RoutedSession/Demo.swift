import Foundation
import InterceptorKit
import InterceptorKitRouting
import InterceptorKitTesting
import InterceptorKitTransport

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The same code over a plain session and over a routed one, and what must come of each.
struct Demo {
    /// - Parameter show: Receives what a person should see.
    /// - Throws: What did not come out as it should.
    func run(_ show: (String) -> Void) async throws {
        let orders = OrderServer()
        let server = try orders.start()
        defer { server.stop() }
        guard let base = URL(string: server.url("/orders").text) else {
            throw BrokenExpectation("the server has no URL")
        }
        let transport = URLSessionTransport()
        defer { transport.close() }

        let client = try HTTP.Client(transport: transport) {
            RetryInterceptor(policy: .standard)
            TokenInterceptor(source: orders, origins: [server.origin])
        }
        let session = URLSession(configuration: .ephemeral.routed(through: client))
        show("\(client)\n")

        show("1. The old code over a plain session: refused.")
        let plain = LegacyOrders(session: URLSession(configuration: .ephemeral), base: base)
        let answer = try? await plain.order(7)
        try expect(answer == nil, "the server did without a token")
        show("  no order, \(server.requests.count) request\n")

        show("2. The old code over a routed one: a token is fetched, a busy server asked again.")
        let routed = LegacyOrders(session: session, base: base)
        let order = try await routed.order(7)
        try expect(order == "order 7, a teapot", "the wrong order came back: \(order)")
        try expect(orders.tokensIssued == 1, "\(orders.tokensIssued) tokens were issued, not 1")
        try expect(server.requests.count == 4, "\(server.requests.count) requests, not 4")
        show("  \(order), after \(server.requests.count - 1) requests\n")

        show("3. A body goes along.")
        let status = try await routed.place("a kettle")
        try expect(status == 201, "the order was not placed: \(status)")
        try expect(server.requests.last?.text == "a kettle", "the body was lost")
        show("  \(status)\n")
    }

    private func expect(_ holds: Bool, _ otherwise: String) throws {
        guard holds else { throw BrokenExpectation(otherwise) }
    }
}

struct BrokenExpectation: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}
