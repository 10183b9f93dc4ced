import Expectations
import InterceptorKit
import InterceptorKitTesting
import InterceptorKitTransfers
import TestSupport
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

@Suite("The response to a request for the rest")
struct RangeResponseTests {
    private let folder: Folder

    init() throws { folder = try Folder() }

    private func result(
        _ server: FileServer,
        _ interceptors: @escaping @Sendable () -> [any Interceptor<HTTP.Request>] = { [] }
    ) throws -> HTTP.DownloadedFile {
        try folder.download(from: server, through: interceptors)
    }

    private var content: String? { folder.text }

    @Test(
        "requests everything when the part received isn't the rest",
        arguments: [
            ("Content-Range", "bytes 4-8/10"), ("Content-Range", "bytes 4-9/10"),
            ("Content-Range", "bytes 5-9/11"),
            ("Content-Range", "bytes 5-9/*"), ("Content-Range", "bytes 5-8/10"),
            ("Content-Range", "items 5-9/10"), ("Content-Range", "bytes 5-12/10"),
            ("Content-Range", nil), ("ETag", "\"2\""), ("ETag", nil), ("Content-Encoding", "gzip"),
            ("Content-Type", "multipart/byteranges"),
        ] as [(String, String?)]
    )
    func wrongPart(field: String, value: String?) throws {
        let server = FileServer(
            faults: [.lost(after: 5)],
            distort: { answer, number in
                guard number == 2 else { return }
                answer.headers[field] = value
                if field == "Content-Type" { answer.headers["Content-Range"] = nil }
                answer.body = Data("wrong".utf8)
            }
        )

        _ = try result(server)

        expectEqual(content, "0123456789")
        expectEqual(server.ranges, [nil, "bytes=5-", nil])
    }

    @Test("requests everything when the rest is refused", arguments: [400, 403, 412, 416])
    func refused(status: Int) throws {
        for interceptors in [[], [ErrorFilterInterceptor()], [ErrorFilterInterceptor.own]] {
            let server = FileServer(
                faults: [.lost(after: 5)],
                distort: { answer, number in
                    if number == 2 {
                        answer = .init(status: .init(status), headers: [:], body: .init())
                    }
                }
            )

            _ = try result(server) { interceptors }

            expectEqual(content, "0123456789")
            expectEqual(server.ranges, [nil, "bytes=5-", nil])
        }
    }

    @Test("keeps the partial file while the server is busy", arguments: [408, 429, 500, 503])
    func busy(status: Int) throws {
        let server = FileServer(
            faults: [.lost(after: 5)],
            distort: { answer, number in
                if number == 2 {
                    answer = .init(status: .init(status), headers: [:], body: .init())
                }
            }
        )

        _ = try result(server)

        expectEqual(content, "0123456789")
        expectEqual(server.ranges, [nil, "bytes=5-", "bytes=5-"])
    }

    @Test("takes 416 as complete when nothing is missing, with error filters too")
    func complete() throws {
        for interceptors in [[], [ErrorFilterInterceptor()]] as [[any Interceptor<HTTP.Request>]] {
            let server = FileServer(faults: [.lost(after: 10)])

            let file = try result(server) { interceptors }

            expectEqual(content, "0123456789")
            expectEqual(file.resumptions, 1)
            expectEqual(server.ranges, [nil, "bytes=10-"])
        }
    }

    @Test(
        "requests everything when a 416 doesn't confirm that all is there",
        arguments: [(10, "bytes */11"), (10, "bytes 0-9/10"), (5, "bytes */5")]
    )
    func notComplete(count: Int, range: String) throws {
        let server = FileServer(
            faults: [.lost(after: count)],
            distort: { answer, number in
                guard number == 2 else { return }
                let headers: HTTP.Headers = ["Content-Range": range]
                answer = .init(status: 416, headers: headers, body: .init())
            }
        )

        _ = try result(server)

        expectEqual(content, "0123456789")
        expectEqual(server.ranges, [nil, "bytes=\(count)-", nil])
    }

    @Test("requests more when a part is less than the rest")
    func smallPart() throws {
        let server = FileServer(
            faults: [.lost(after: 5)],
            distort: { answer, number in
                guard number == 2 else { return }
                answer.headers["Content-Range"] = "bytes 5-7/10"
                answer.body = Data("567".utf8)
            }
        )

        _ = try result(server)

        expectEqual(content, "0123456789")
        expectEqual(server.ranges, [nil, "bytes=5-", "bytes=8-"])
    }
}

extension ErrorFilterInterceptor {
    /// One that names errors in the caller's own terms.
    fileprivate static var own: Self { ErrorFilterInterceptor(map: { _ in Problem() }) }
}
