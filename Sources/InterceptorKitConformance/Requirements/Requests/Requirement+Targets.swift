import InterceptorKit
import InterceptorKitTesting

extension TransportConformance.Requirement {
    static let targets: [Self] = [
        target("sends path and query as they are", "/orders/7?page=2&sort=name"),
        target("sends an empty path as a slash", "", arriving: "/"),
        target("keeps percent-encoding as it is written", "/a%2Fb%20c/%41%c3%a9?q=%2B%26%3d"),
        target("keeps characters that need no encoding", "/a+b;c=d,e:f@g!$&'()*~-_.?x=+/?:@"),
        target("keeps brackets that are not percent-encoded", "/a?ids[]=1&ids[]=2"),
        target("keeps empty path segments", "/a//b///c/"),
        target("keeps repeated and empty query items in order", "/?b=1&a=&b=2&c&&d"),
        target("keeps a query that is empty apart from a slash path", "/?x="),
        target("keeps dot segments", "/a/./b/../../c/..?d=/../e"),
        target("keeps dot segments that are percent-encoded", "/a/%2e%2E/b/%2e"),
        target("keeps a question mark with nothing after it", "/a?"),
        target("does not send the fragment", "/a?b=1#section", arriving: "/a?b=1"),
        target(
            "sends a long target whole",
            "/" + String(repeating: "abcdefgh/", count: 400) + "?q="
                + String(repeating: "0123456789", count: 300)
        ),
        Self("names host and port in Host") { context in
            let server = try context.server(.status(200))

            _ = try await context.exchange(.get(server.url("/")))

            let host = try context.single(server).headers["Host"]
            try expect(host, is: "127.0.0.1:\(server.port)", "The Host field")
        },
        Self("names the host in lower case, as signatures cover it") { context in
            let request = try await context.arrival {
                .get(HTTP.URL("HTTP://LocalHost:\(raw: "\($0.port)")/"))
            }

            let host = request.headers["Host"] ?? ""
            try expect(host.begins(with: "localhost:"), "The Host field is \(host).")
        },
    ]

    private static func target(_ name: String, _ text: String, arriving: String? = nil) -> Self {
        Self(name) { context in
            let request = try await context.arrival {
                .get(HTTP.URL("\($0.origin)\(raw: text)"))
            }

            try expect(request.target, is: arriving ?? text, "The target")
        }
    }
}
