import InterceptorKit
import InterceptorKitTesting

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension TransportConformance.Requirement {
    static let responseFields: [Self] = [
        Self("delivers a field's value as it is") { context in
            let value = "a \"b\", c=d; e/f\\g <h> {i} 'j' \t k"

            let (head, _) = try await context.response(.status(200, headers: ["X-Field": value]))

            try expect(head.headers["X-Field"], is: value, "The field")
        },
        Self("delivers repeated fields in order, as several or as one list") { context in
            let (head, _) = try await context.response(
                .status(200, headers: ["X-Field": "one", "X-Other": "0", "X-Field": "two"])
            )

            try expect(head.headers["X-Field"], is: "one, two", "The field")
            try expect(head.headers["X-Other"], is: "0", "The field between")
        },
        Self("keeps Set-Cookie fields apart") { context in
            let cookies = [
                "a=1; Expires=Wed, 21 Oct 2026 07:28:00 GMT; Path=/", "b=2", "c=\"x,y\"; HttpOnly",
            ]

            let (head, _) = try await context.response(
                .status(200, headers: HTTP.Headers(cookies.map { ("Set-Cookie", $0) }))
            )

            try expect(head.headers.values("Set-Cookie"), is: cookies, "The cookies")
        },
        Self("finds a field whatever the case of its name") { context in
            let (head, _) = try await context.response(.status(200, headers: ["x-FIELD-name": "1"]))

            try expect(head.headers["X-Field-Name"], is: "1", "The field")
        },
        Self("delivers a field whose value is empty") { context in
            let (head, _) = try await context.response(
                .raw("HTTP/1.1 200 OK\r\nX-Empty:\r\nContent-Length: 0\r\n\r\n")
            )

            try expect(head.headers["X-Empty"], is: "", "The field")
        },
        Self("delivers a field without blank after the colon") { context in
            let (head, _) = try await context.response(
                .raw("HTTP/1.1 200 OK\r\nX-Field:value\r\nContent-Length: 0\r\n\r\n")
            )

            try expect(head.headers["X-Field"], is: "value", "The field")
        },
        Self("takes the blanks around a value away") { context in
            let (head, _) = try await context.response(
                .raw("HTTP/1.1 200 OK\r\nX-Field: \t value \t\r\nContent-Length: 0\r\n\r\n")
            )

            try expect(head.headers["X-Field"], is: "value", "The field")
        },
        Self("delivers a long field whole") { context in
            let value = String(repeating: "0123456789abcdef", count: 2_000)

            let (head, _) = try await context.response(.status(200, headers: ["X-Long": value]))

            try expect(head.headers["X-Long"], is: value, "The field")
        },
        Self("delivers many fields") { context in
            let fields = HTTP.Headers((0..<200).map { ("X-Field-\($0)", "value \($0)") })

            let (head, _) = try await context.response(.status(200, headers: fields))

            for field in fields {
                try expect(head.headers[field.name], is: field.value, "The field \(field.name)")
            }
        },
        Self("delivers a value in UTF-8") { context in
            let (head, _) = try await context.response(.status(200, headers: ["X-Name": "Zoë 東京"]))

            try expect(head.headers["X-Name"], is: "Zoë 東京", "The field")
        },
        Self("delivers a response that has a field value in Latin-1") { context in
            var bytes = Data("HTTP/1.1 200 OK\r\nX-Name: Zo".utf8)
            bytes.append(0xEB)
            bytes += Data("\r\nX-Other: 1\r\nContent-Length: 2\r\n\r\nab".utf8)

            let (head, body) = try await context.response(.raw(bytes))

            try expect(head.headers.contains("X-Name"), "The field is missing.")
            try expect(head.headers["X-Other"], is: "1", "The next field")
            try expect(String(decoding: body, as: UTF8.self), is: "ab", "The body")
        },
        Self("sends a tag back byte for byte that is not UTF-8") { context in
            let tag = Data("v".utf8) + [0xEB, 0xC3]
            let start = Data("HTTP/1.1 200 OK\r\nContent-Length: 0\r\nETag: \"".utf8)
            let server = try context.server(.raw(start + tag + Data("\"\r\n\r\n".utf8)))
            let (head, _) = try await context.exchange(.get(server.url("/")))
            let value = head.headers["ETag"] ?? ""

            _ = try await context.exchange(
                .get(server.url("/"), headers: ["If-None-Match": value])
            )

            let sent = server.requests.last?.rawHead.split(separator: UInt8(ascii: "\"")) ?? []
            try expect(sent.contains(tag), "The tag \(value) was sent as another.")
        },
    ]
}
