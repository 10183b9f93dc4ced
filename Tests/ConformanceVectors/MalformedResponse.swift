import Foundation
import InterceptorKit
package import InterceptorKitConformance
import InterceptorKitTesting

/// A malformed or unusual response and what a client has to make of it.
package struct MalformedResponse: Decodable {
    enum Expectation: String, Decodable {
        /// The client delivers a response.
        case ok
        /// The client throws.
        case error
        /// The client does either, in time.
        case either
    }

    package let name: String
    let expected: Expectation
    let why: String
    let core: Bool?
    let expected_status: Int?
    let expected_body: String?
    let request_method: String?
    let response_bytes_base64: Data?

    /// The rows that every client has to pass.
    package static func core() throws -> [MalformedResponse] {
        struct File: Decodable { let cases: [MalformedResponse] }
        let data = try Vectors.data("malformed-responses/responses.json")
        return try JSONDecoder().decode(File.self, from: data).cases.filter { $0.core == true }
    }

    /// Serves exactly these bytes and looks at what the transport makes of them.
    package var requirement: TransportConformance.Requirement {
        TransportConformance.Requirement(name) { context in
            guard let bytes = response_bytes_base64 else {
                throw ExpectationFailure("The row has no bytes.")
            }
            let server = try context.server(.raw(bytes))
            let method = HTTP.Method(rawValue: request_method ?? "GET")

            let result: Result<(head: HTTP.Response, body: Data), any Error>
            do {
                result = .success(
                    try await context.exchange(HTTP.Request(method, server.url("/")))
                )
            } catch {
                result = .failure(error)
            }

            switch (expected, result) {
            case (.ok, .success(let (head, body))):
                try expect(head.status.code, is: expected_status ?? head.status.code, "The status")
                let text = String(decoding: body, as: UTF8.self)
                try expect(text, is: expected_body ?? text, "The body")
            case (.ok, .failure(let error)):
                throw ExpectationFailure("A response is expected (\(why)) and it threw \(error)")
            case (.error, .success(let (head, body))):
                throw ExpectationFailure(
                    "An error is expected (\(why)) and it delivered \(head.status) with "
                        + "\(body.count) bytes."
                )
            case (_, .failure(let error)):
                try expect(error is TransportError, "It threw \(type(of: error)).")
            case (.either, .success):
                break
            }
        }
    }
}
