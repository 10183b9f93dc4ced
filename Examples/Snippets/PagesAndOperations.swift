// Pages of a collection, operations that take long, and faults for a running service.
import InterceptorKit
import InterceptorKitFaults
import InterceptorKitOperations

private struct OrderPage: Decodable, Sendable {
    let items: [Int]
    let next: String?
}

private struct Export: Decodable, Sendable {}

private struct Operation: Decodable, Sendable { let isDone: Bool }

func listOrders(_ api: HTTP.Client) async throws {
    // snippet.items
    let orders = api.pages(
        of: OrderPage.self,
        .get("/orders"),
        next: .cursor(in: "cursor") { $0.next }
    )
    for try await order in orders.items({ $0.items }) {
        print(order)
    }
    // snippet.end
}

private struct Order: Decodable, Sendable { let id: Int }

func links(_ api: HTTP.Client) async throws -> String? {
    // snippet.links
    for try await order in api.pages(of: [Order].self, .get("/orders")).items({ $0 }) {
        print(order.id)
    }
    let first = try await api.send(.get("/orders"))
    let pages = first.link("last")?.target.queryParameters.first { $0.name == "page" }?.value
    // snippet.end
    return pages
}

func listPages(_ api: HTTP.Client) async throws {
    // snippet.pages
    let orders = api.pages(
        of: OrderPage.self,
        .get("/orders"),
        next: .cursor(in: "cursor") { $0.next }
    )
    for try await page in orders {
        print(page.items)
    }
    // snippet.end
}

func export(_ api: HTTP.Client, _ query: some Encodable) async throws {
    // snippet.operation
    let export = try await api.waitForOperation(.post("/exports", body: try .json(query)))
    let file = try await export.decode(Export.self)
    // snippet.end
    print(file)
}

func wait(_ api: HTTP.Client) async throws {
    // snippet.state
    let response = try await api.waitForOperation(
        .get("/operations/7"),
        state: { response in
            let operation = try await response.decode(Operation.self)
            return operation.isDone ? .done : .running(after: .seconds(2))
        }
    )
    // snippet.end
    print(response)
}

func waitForAMinute(
    _ api: HTTP.Client,
    _ request: HTTP.Request,
    save: (HTTP.URL?) async throws -> Void
) async throws {
    // snippet.limit
    var options = HTTP.PollingOptions()
    options.limit = .seconds(60)
    do {
        let response = try await api.waitForOperation(request, options: options)
        print(response.status)
    } catch let error as HTTP.OperationError where error.code == .timedOut {
        try await save(error.monitor)
    }
    // snippet.end
}

func experiment(_ transport: some Transport<HTTP.Request>) throws -> HTTP.Client {
    // snippet.faults
    let faults = FaultSwitch()
    let api = try HTTP.Client(transport: transport) {
        RetryInterceptor(policy: .standard)
        FaultInjectionInterceptor(
            [.status(503, rate: 0.05), .latency(rate: 0.1, .milliseconds(500))],
            switch: faults,
            header: ("X-Experiment", "brown-out")
        )
    }
    faults.turnOn(for: .seconds(600))
    // snippet.end
    return api
}
