import InterceptorKit
import InterceptorKitTesting

extension TransportConformance.Requirement {
    static let methods: [Self] = [
        Self("sends GET without a body or a length") { context in
            let request = try await context.arrival { .get($0.url("/")) }

            try expect(request.method, is: .get, "The method")
            try expect(request.body.isEmpty, "There is a body.")
            try expect(request.headers["Content-Length"] ?? "0", is: "0", "The length")
            try expect(!request.headers.contains("Transfer-Encoding"), "There is a coding.")
        },
        method(.head), method(.post), method(.put), method(.patch), method(.delete),
        method(.options), method(.query),
        Self("sends a method that is registered nowhere as it is") { context in
            let request = try await context.arrival { HTTP.Request("PURGE", $0.url("/")) }

            try expect(request.method, is: "PURGE", "The method")
        },
        Self("keeps the case of a method") { context in
            let request = try await context.arrival { HTTP.Request("purGe", $0.url("/")) }

            try expect(request.method, is: "purGe", "The method")
        },
    ]

    private static func method(_ method: HTTP.Method) -> Self {
        Self("sends \(method) as it is") { context in
            let request = try await context.arrival { HTTP.Request(method, $0.url("/")) }

            try expect(request.method, is: method, "The method")
        }
    }
}
