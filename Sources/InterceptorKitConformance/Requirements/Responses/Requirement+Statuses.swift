import InterceptorKit
import InterceptorKitTesting

extension TransportConformance.Requirement {
    static let statuses: [Self] = [
        Self("delivers each status as it is, errors too") { context in
            let server = try context.server { request in
                .text("body", status: HTTP.Status(Int(request.path.dropFirst()) ?? 500))
            }

            for code in [200, 201, 202, 206, 400, 403, 404, 409, 410, 418, 429, 500, 502, 503, 504]
            {
                let (head, body) = try await context.exchange(.get(server.url("/\(code)")))
                try expect(head.status.code, is: code, "The status")
                try expect(String(decoding: body, as: UTF8.self), is: "body", "The body of \(code)")
            }
        },
        Self("delivers a status that is registered nowhere") { context in
            for code in [299, 499, 599] {
                let (head, _) = try await context.response(.status(HTTP.Status(code), body: "x"))
                try expect(head.status.code, is: code, "The status")
            }
        },
        Self("takes any reason phrase") { context in
            for phrase in ["", "Fine, thanks: \"really\"", "404 Not Found"] {
                let (head, _) = try await context.response(.text("x").reason(phrase))
                try expect(head.status, is: 200, "The status")
            }
        },
        Self("delivers a response in HTTP/1.0") { context in
            let (head, body) = try await context.response(
                .raw("HTTP/1.0 200 OK\r\nContent-Length: 2\r\n\r\nab")
            )

            try expect(head.status, is: 200, "The status")
            try expect(String(decoding: body, as: UTF8.self), is: "ab", "The body")
        },
    ]
}
