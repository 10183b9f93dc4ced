// What the guide ShapeRequests shows.
import Foundation
import InterceptorKit
import InterceptorKitTransport

struct Order: Codable, Sendable {
    var name: String
    var number = 7
}

typealias NewOrder = Order

func shaping(device: String, secret: String) throws -> HTTP.Client {
    // snippet.chain
    let api = try HTTP.Client(transport: URLSessionTransport()) {
        BaseURLInterceptor("https://api.example.com/v1")
        UserAgentInterceptor(HTTP.UserAgent("Shop", version: "2.1"))
        DefaultHeadersInterceptor(["Accept": "application/json"])
        CommonParametersInterceptor(origins: ["https://api.example.com"]) { call in
            [
                "app_id": "shop", "device_id": device,
                "ts": "\(Int(call.runtime.date.timeIntervalSince1970))",
            ]
        }
        IdempotencyKeyInterceptor()
        RetryInterceptor(policy: .standard)
        CompressionInterceptor(origins: ["https://api.example.com"])
        SignInterceptor(.hmacSHA256(keyID: "app-1", secret: secret))
    }
    // snippet.end
    return api
}

func replacing() throws -> HTTP.Client {
    try HTTP.Client(transport: URLSessionTransport()) {
        // snippet.replacing
        DefaultHeadersInterceptor(merging: .replaceExisting) { call in
            ["X-Sent-At": HTTP.text(for: call.runtime.date)]
        }
        // snippet.end
    }
}

func formWithFile(_ api: HTTP.Client) async throws -> HTTP.Response {
    // snippet.form
    let form = HTTP.Multipart([
        .field("title", "At the sea"),
        .file("photo", at: "7.jpg", mediaType: "image/jpeg"),
    ])
    let response = try await api.send(.post("/photos").multipart(form))
    // snippet.end
    return response
}

func related(_ photo: NewOrder) throws -> HTTP.Multipart {
    // snippet.related
    let upload = HTTP.Multipart(
        [.init(try .json(photo)), .init(.file("7.jpg"), mediaType: "image/jpeg")],
        subtype: .related
    )
    // snippet.end
    return upload
}

// snippet.endpoints
extension HTTP.Endpoint {
    static func order(_ id: Int) -> Self where Output == Order {
        Self(.get, "/orders/\(id)", decoder: .json)
    }
    static func place(_ order: NewOrder) -> Self where Output == Order {
        Self(.post, "/orders", sending: order, by: .json, decoder: .json)
    }
}
// snippet.end

func decoding() -> HTTP.Endpoint<[Order]> {
    // snippet.decoder
    let recent = HTTP.Endpoint<[Order]>(
        .get,
        "/orders",
        query: ["since": "2026-01-01"],
        decoder: .json(whenEmpty: .value([])) { $0.dateDecodingStrategy = .iso8601 }
    )
    // snippet.end
    return recent
}
