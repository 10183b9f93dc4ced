import InterceptorKit
import InterceptorKitTesting

extension TransportConformance.Requirement {
    static let requestFields: [Self] = [
        Self("sends a field's value as it is") { context in
            let value = "a \"b\", c=d; e/f\\g <h> {i} 'j' \t k"

            let request = try await context.arrival {
                .get($0.url("/"), headers: ["X-Field": value])
            }

            try expect(request.headers["X-Field"], is: value, "The field")
        },
        Self("sends a field that is sent twice twice, or as one list, in order") { context in
            let request = try await context.arrival {
                .get($0.url("/"), headers: ["X-Field": "one", "X-Other": "0", "x-field": "two"])
            }

            try expect(request.headers["X-Field"], is: "one, two", "The field")
            try expect(request.headers["X-Other"], is: "0", "The field between")
        },
        Self("sends a long field whole") { context in
            let value = String(repeating: "0123456789abcdef", count: 1_000)

            let request = try await context.arrival {
                .get($0.url("/"), headers: ["X-Long": value])
            }

            try expect(request.headers["X-Long"], is: value, "The field")
        },
        Self("sends many fields") { context in
            let fields = HTTP.Headers((0..<150).map { ("X-Field-\($0)", "value \($0)") })

            let request = try await context.arrival { .get($0.url("/"), headers: fields) }

            for field in fields {
                try expect(request.headers[field.name], is: field.value, "The field \(field.name)")
            }
        },
        Self("sends a value in UTF-8 byte for byte") { context in
            let request = try await context.arrival {
                .get($0.url("/"), headers: ["X-Name": "Zoë 東京"])
            }

            try expect(request.headers["X-Name"], is: "Zoë 東京", "The field")
        },
        Self("sends Authorization and Cookie as they are") { context in
            let request = try await context.arrival {
                .get(
                    $0.url("/"),
                    headers: ["Authorization": "Bearer t.o-k~e+n/=", "Cookie": "a=1; b=2"]
                )
            }

            try expect(request.headers.values("Authorization"), is: ["Bearer t.o-k~e+n/="], "It")
            try expect(request.headers.values("Cookie"), is: ["a=1; b=2"], "The Cookie field")
        },
        Self("sends Content-Type as it is, once") { context in
            let request = try await context.arrival {
                .post($0.url("/"), headers: ["content-type": "text/x; charset=\"a\""], body: "x")
            }

            let types = request.headers.values("Content-Type")
            try expect(types, is: ["text/x; charset=\"a\""], "The Content-Type field")
        },
        Self("does not call a body a form by itself") { context in
            let request = try await context.arrival { .post($0.url("/"), body: "{}") }

            let type = request.headers["Content-Type"] ?? ""
            try expect(!type.contains("form"), "The Content-Type is \(type).")
        },
        Self("lets the caller choose what it would say of itself") { context in
            let request = try await context.arrival {
                .get(
                    $0.url("/"),
                    headers: ["User-Agent": "Mine/1", "Accept": "text/x", "Accept-Language": "eo"]
                )
            }

            try expect(request.headers.values("User-Agent"), is: ["Mine/1"], "The User-Agent")
            try expect(request.headers.values("Accept"), is: ["text/x"], "The Accept field")
            try expect(request.headers.values("Accept-Language"), is: ["eo"], "The language")
        },
        Self("adds no credentials, cookies or conditions") { context in
            let request = try await context.arrival { .get($0.url("/")) }

            for name in [
                "Authorization", "Cookie", "If-None-Match", "If-Modified-Since", "Referer",
            ] {
                try expect(!request.headers.contains(name), "There is a field \(name).")
            }
        },
        Self("says in its response what was sent") { context in
            let server = try context.server(.status(200))

            let (head, _) = try await context.exchange(
                .post(server.url("/a?b=1"), headers: ["X-Field": "1"], body: "x")
            )

            let arrived = try context.single(server)
            guard let sent = head.request else {
                throw ExpectationFailure("The response names no request.")
            }
            try expect(sent.method, is: .post, "The method")
            try expect(sent.url.text, is: server.url("/a?b=1").text, "The URL")
            for field in sent.headers {
                try expect(arrived.headers[field.name], is: sent.headers[field.name], field.name)
            }
            try expect(sent.headers["X-Field"], is: "1", "The field")
        },
    ]
}
