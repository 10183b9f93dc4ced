// The code of the landing page of InterceptorKitCore, which knows no HTTP.

import InterceptorKitCore

struct Query: Interceptable {
    typealias Output = [String]
    var text: String
}

struct Database: Transport {
    func send(_ query: Query, call: Call) async throws -> [String] { [query.text] }
}

// snippet.hide
func orders() async throws {
    // snippet.show
    let queries = try Pipeline(transport: Database()) {
        RetryInterceptor<Query>(policy: .standard)
        TimeoutInterceptor<Query>(attempt: .seconds(2))
    }
    let rows = try await queries.run(Query(text: "orders"))
    // snippet.hide
    print(rows)
}
