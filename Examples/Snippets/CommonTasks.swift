// The code of the guide "Common tasks".

import InterceptorKit
import InterceptorKitForms
import InterceptorKitTransport

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

struct Order: Decodable { var id: Int }

func configured() throws -> HTTP.Client {
    // snippet.environment
    let environment = ProcessInfo.processInfo.environment
    let base = try HTTP.URL(string: environment["API_URL"] ?? "https://api.example.com/v1")
    let api = try HTTP.Client(transport: URLSessionTransport()) {
        BaseURLInterceptor(base)
        RetryInterceptor(maxAttempts: environment["API_ATTEMPTS"].flatMap { Int($0) } ?? 3)
    }
    // snippet.end
    return api
}

func parameters(_ request: HTTP.Request) -> (page: String?, id: Substring?) {
    // snippet.parameters
    let page = request.url.queryParameters.first { $0.name == "page" }?.value
    let id = request.url.path.split(separator: "/").last  // "7" of /orders/7
    // snippet.end
    return (page, id)
}

// snippet.search
struct SearchRequest: Encodable {
    var text: String
    var tags: [String] = []
    var page: Int?
}
// snippet.end

func encoded(_ api: HTTP.Client) async throws -> [HTTP.Response] {
    // snippet.query
    let search = SearchRequest(text: "green tea", tags: ["loose"])
    let found = try await api.send(.get("/search", query: search))
    // snippet.end
    // snippet.form
    let saved = try await api.send(.post("/searches").form(search))
    // snippet.end
    // snippet.encoder
    let encoder = HTTP.URLEncodedFormEncoder(
        arrayEncoding: .noBrackets,
        boolEncoding: .literal,
        dateEncoding: .iso8601,
        keyEncoding: .convertToSnakeCase
    )
    let again = try await api.send(.get("/search", query: search, by: encoder))
    // snippet.end
    return [found, saved, again]
}

func debugged(_ token: String) throws -> HTTP.Client {
    // snippet.debugging
    var settings = HTTP.Client.Settings(baseURL: "https://api.example.com/v1")
    settings.token = token
    settings.isDebugging = true
    settings.debugDetail = .bodies  // Defaults to .fields, without bodies.
    let api = try HTTP.Client(settings, transport: URLSessionTransport())
    // snippet.end
    return api
}

func local() async throws -> HTTP.Response {
    // snippet.local
    let api = try HTTP.Client(transport: URLSessionTransport()) {
        BaseURLInterceptor("https://api.example.com/v1")
        LocalResponseInterceptor { request in
            request.url.path == "/v1/orders/7" ? .file("fixtures/order.json") : nil
        }
    }
    // snippet.end
    // snippet.localCall
    let response = try await api.send(.get("/orders/7")) { call in
        call.localResponse = .file("fixtures/order.json")
    }
    // snippet.end
    return response
}

func caught(_ api: HTTP.Client) async throws -> Order? {
    // snippet.errors
    do {
        return try await api.send(.get("/orders/7")).decode(Order.self)
    } catch ResponseError.Code.status {
        return nil  // The server answered with a status that means failure.
    } catch let error as TransportError {
        print(error.code, error.attempts)  // No response came.
        throw error
    } catch let error as HTTP.DecodingFailure {
        print(error)  // The body is not what the type needs.
        throw error
    } catch is CancellationError {
        throw CancellationError()  // The task was cancelled.
    }
    // snippet.end
}

func reading(_ api: HTTP.Client) async throws -> Int {
    // snippet.body
    let response = try await api.send(.get("/export"))
    var lines = 0
    for try await chunk in response.body {
        lines += chunk.count { $0 == UInt8(ascii: "\n") }
    }
    // snippet.end
    return lines
}
