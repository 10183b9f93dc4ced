extension RedirectFlow {
    /// Flows that stand here, so that every clone follows them over its engines: curl's tests 974 and 976.
    package static let examples = [
        RedirectFlow(
            origin: "curl/curl tests/data/test974",
            name: "HTTP with auth redirected to HTTP on a diff port w/o auth",
            command: "-x http://127.0.0.1:8990 http://firsthost.com -L -u joe:secret",
            location: ["http://firsthost.com:9999/a/path/9740002"],
            requests: [
                Hop(
                    "GET http://firsthost.com/ HTTP/1.1",
                    "firsthost.com",
                    "Basic am9lOnNlY3JldA=="
                ),
                Hop("GET http://firsthost.com:9999/a/path/9740002 HTTP/1.1", "firsthost.com:9999"),
            ]
        ),
        RedirectFlow(
            origin: "curl/curl tests/data/test976",
            name: "HTTP with auth redirected to HTTP on a diff port --location-trusted",
            command:
                "-x http://127.0.0.1:8990 http://firsthost.com --location-trusted -u joe:secret",
            location: ["http://firsthost.com:9999/a/path/9760002"],
            requests: [
                Hop(
                    "GET http://firsthost.com/ HTTP/1.1",
                    "firsthost.com",
                    "Basic am9lOnNlY3JldA=="
                ),
                Hop(
                    "GET http://firsthost.com:9999/a/path/9760002 HTTP/1.1",
                    "firsthost.com:9999",
                    "Basic am9lOnNlY3JldA=="
                ),
            ]
        ),
    ]
}

extension RedirectFlow.Hop {
    fileprivate init(_ line: String, _ host: String, _ authorization: String? = nil) {
        self.init(
            request_line: line,
            host: host,
            authorization: authorization,
            cookie: nil,
            signature: false,
            x_amz_date: false
        )
    }
}
