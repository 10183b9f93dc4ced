import InterceptorKit
import InterceptorKitCaching
import InterceptorKitConcurrency
import InterceptorKitConformance
import InterceptorKitTesting
import Synchronization

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

private typealias Requirement = TransportConformance.Requirement

extension HTTPAPICases {
    /// What the proposal's client does by itself, and here an interceptor or the client.
    static let chains: [TransportConformance.Requirement] = [
        Requirement("testBasicRedirect") { context in
            for status: HTTP.Status in [301, 308] {
                let server = try context.server { request in
                    request.path == "/request"
                        ? .text(request.method.rawValue)
                        : .redirect(to: "/request", status: status)
                }
                let client = try client(context, [RedirectInterceptor()])

                let response = try await client.send(.get(server.url("/\(status.code)")))

                try expect(response.status, is: 200, "The status")
                try expect(try await response.text(), is: "GET", "The method")
            }
        },
        Requirement("testInfiniteRedirect") { context in
            let server = try context.server { request in
                .redirect(to: request.path == "/ping" ? "/pong" : "/ping", status: 301)
            }
            let client = try client(context, [RedirectInterceptor()])

            _ = try await context.failure(of: "The call") {
                try await client.send(.get(server.url("/ping")))
            }
        },
        Requirement("testBasicCookieSetAndUse") { context in
            let server = try context.server { request in
                request.path == "/cookie"
                    ? .status(200, headers: ["Set-Cookie": "foo=bar"]) : .status(200)
            }
            let client = try client(context, [CookieInterceptor()])

            _ = try await client.send(.get(server.url("/cookie"))).text()
            _ = try await client.send(.get(server.url("/request"))).text()

            try expect(server.requests.last?.headers["Cookie"], is: "foo=bar", "The cookie")
        },
        Requirement("testETag") { context in
            // The tag moves on each time the client has it.
            let current = Lock(0)
            let server = try context.server { request -> LoopbackServer.Reply in
                let known = request.headers["If-None-Match"]
                let (tag, isSame) = current.withLock { tag in
                    let same = known == "\"\(tag)\""
                    defer { if same { tag += 1 } }
                    return (tag, same)
                }
                let headers: HTTP.Headers = ["ETag": "\"\(tag)\"", "Cache-Control": "no-cache"]
                return isSame
                    ? .status(304, headers: headers)
                    : .status(200, headers: headers, body: "\(tag)")
            }
            let client = try client(context, [CacheInterceptor()])

            for tag in 0..<3 {
                for _ in 0..<2 {
                    let response = try await client.send(.get(server.url("/etag")))

                    try expect(response.status, is: 200, "The status")
                    try expect(try await response.text(), is: "\(tag)", "The body")
                }
            }
            try expect(server.requests.count, is: 6, "The number of requests")
        },
        Requirement("testGetConvenience") { context in
            let server = try context.server(.text("hello"))

            let text = try await client(context).send(.get(server.url("/request"))).text()

            try expect(text, is: "hello", "The body")
            try expect(server.requests.last?.body, is: Data(), "The request's body")
        },
        Requirement("testPostConvenience") { context in
            let server = try context.server { request in
                .text("\(request.method.rawValue) \(String(decoding: request.body, as: UTF8.self))")
            }

            let request = HTTP.Request.post(server.url("/request"), body: "Hello World")
            let text = try await client(context).send(request).text()

            try expect(text, is: "POST Hello World", "The body")
        },
    ]

    private static func client(
        _ context: ConformanceContext,
        _ interceptors: [any Interceptor<HTTP.Request>] = []
    ) throws -> HTTP.Client {
        func over(_ transport: some Transport<HTTP.Request>) throws -> HTTP.Client {
            try HTTP.Client(interceptors, transport: transport)
        }
        return try over(context.transport)
    }
}
