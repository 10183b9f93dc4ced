import Hummingbird
import InterceptorKit
import InterceptorKitHummingbird

/// What the gateway is for: orders with their prices, from the two services behind it.
struct Shop: Sendable {
    let orders: HTTP.Client
    let prices: HTTP.Client
    let known: KnownPrices

    func addRoutes(to group: RouterGroup<GatewayContext>) {
        group.get("orders/:id") { _, context in
            try await order(context.parameters.require("id"))
        }
        group.post("orders") { request, _ in
            let order = try await request.body.collect(upTo: 65_536)
            let answer = try await orders.send(
                .post("/orders", body: .bytes(order.readableBytesView))
            )
            return try await json(answer.text(), answer.status)
        }
        group.get("slow") { _, _ in
            let answer = try await orders.send(.get("/slow"))
            return try await json(answer.text(), answer.status)
        }
    }

    private func order(_ id: String) async throws -> Response {
        async let price = price(of: id)
        let answer = try await orders.send(.get("/orders/\(id)"))
        let order = try await answer.text()
        guard answer.status.isSuccess else { return json(#"{"order":null}"#, answer.status) }
        return json(#"{"order":\#(order),"price":\#(try await price)}"#, 200)
    }

    private func price(of id: String) async throws -> String {
        let url: HTTP.URL = "/prices/\(id)"
        let answer = try await prices.send(.get(url))
        let price = try await answer.text()
        guard answer.status.isSuccess else { return "null" }
        if answer.fallbackReason == nil { known.note(price, for: url.path) }
        return price
    }

    // A failure of a service behind is not one of this service: it is a bad gateway.
    private func json(_ text: String, _ status: HTTP.Status) -> Response {
        let code = status.isServerError && status != 503 && status != 504 ? 502 : status.code
        return Response(
            status: .init(code: code),
            headers: [.contentType: "application/json"],
            body: ResponseBody(byteBuffer: ByteBuffer(string: text))
        )
    }
}
