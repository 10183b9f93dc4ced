import InterceptorKit
import InterceptorKitTesting

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension TransportConformance.Requirement {
    static let encodings: [Self] = [
        Self("delivers gzip decoded and not called gzip, or as it came and called so") { context in
            let (head, body) = try await context.response(gzip(Samples.gzip))

            if head.headers.contains("Content-Encoding") {
                try expect(head.headers["Content-Encoding"], is: "gzip", "The coding")
                try expect(body, is: Samples.gzip, "The body")
            } else {
                try expect(String(decoding: body, as: UTF8.self), is: "hello", "The body")
            }
        },
        Self("delivers every member of a gzip body, also after an empty one") { context in
            let members = Samples.gzip + Samples.emptyGzip + Samples.gzip
            let (head, body) = try await context.response(gzip(members))

            let isEncoded = head.headers.contains("Content-Encoding")
            let wanted = isEncoded ? members : Data("hellohello".utf8)
            try expect(body == wanted, "\(body.count) bytes arrived instead of \(wanted.count).")
        },
        Self("states no length that is not the delivered body's") { context in
            let (head, body) = try await context.response(gzip(Samples.gzip))

            let stated = head.headers["Content-Length"] ?? "\(body.count)"
            try expect(stated, is: "\(body.count)", "The stated length")
            try expect(head.body.length ?? body.count, is: body.count, "The body's length")
        },
        Self("keeps the length of a compressed answer to HEAD") { context in
            let server = try context.server(gzip(Samples.gzip))

            let (head, _) = try await context.exchange(.head(server.url("/")))

            try expect(head.headers["Content-Length"], is: "28", "The length field")
            try expect(head.headers["Content-Encoding"], is: "gzip", "The coding")
        },
        Self("sends Accept-Encoding as the caller chose it") { context in
            let request = try await context.arrival {
                .get($0.url("/"), headers: ["Accept-Encoding": "identity"])
            }

            try expect(request.headers.values("Accept-Encoding"), is: ["identity"], "The field")
        },
        Self("delivers a body in a coding it does not know as it came") { context in
            let (head, body) = try await context.response(
                .status(200, headers: ["Content-Encoding": "x-unknown"], body: "coded")
            )

            try expect(head.headers["Content-Encoding"], is: "x-unknown", "The coding")
            try expect(String(decoding: body, as: UTF8.self), is: "coded", "The body")
        },
        Self("fails on a compressed body that was cut off, or delivers it as it came") { context in
            let cut = Samples.gzip.prefix(18)
            let server = try context.server(gzip(Data(cut)))

            guard let (head, body) = try? await context.exchange(.get(server.url("/"))) else {
                return
            }

            try expect(
                head.headers["Content-Encoding"] == "gzip" && body == cut,
                "\(body.count) bytes were delivered as if they were all."
            )
        },
    ]

    private static func gzip(_ body: Data) -> LoopbackServer.Reply {
        .status(200, headers: ["Content-Encoding": "gzip"], body: body)
    }
}
