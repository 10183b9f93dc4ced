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
            return try await json(answer.text(), answer)
        }
        group.get("slow") { _, _ in
            let answer = try await orders.send(.get("/slow"))
            return try await json(answer.text(), answer)
        }
    }

    private func order(_ id: String) async throws -> Response {
        async let price = price(of: id)
        let answer = try await orders.send(.get("/orders/\(id)"))
        let order = try await answer.text()
        guard answer.status.isSuccess else { return json(#"{"order":null}"#, answer) }
        return json(#"{"order":\#(order),"price":\#(try await price)}"#, answer)
    }

    private func price(of id: String) async throws -> String {
        let url: HTTP.URL = "/prices/\(id)"
        let answer = try await prices.send(.get(url))
        let price = try await answer.text()
        guard answer.status.isSuccess else { return "null" }
        if answer.fallbackReason == nil { known.note(price, for: url.path) }
        return price
    }

    // A failure of a service behind is not one of this service: it is a bad gateway. Its overload is passed on, with
    // the time to wait, as the middleware does where a client throws.
    private func json(_ text: String, _ answer: HTTP.Response) -> Response {
        let status = answer.status
        let isOverload = status == 429 || status == 503
        let isOfBehind = status.isServerError && status != 504
        var headers: HTTPFields = [.contentType: "application/json"]
        if isOverload { headers[.retryAfter] = answer.headers["Retry-After"] }
        return Response(
            status: .init(code: isOverload ? 503 : isOfBehind ? 502 : status.code),
            headers: headers,
            body: ResponseBody(byteBuffer: ByteBuffer(string: text))
        )
    }
}
