#if Hummingbird
import Expectations
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import InterceptorKit
import InterceptorKitHummingbird
import InterceptorKitSigning
import InterceptorKitTesting
import NIOCore
import TestRun
import Testing

@Suite(
    "Request bodies that are too large or incomplete",
    .tags(.sockets),
    .serializedAcrossSuites,
    .timeLimit(.minutes(10))
)
struct ReceivedBodyTests {
    @Test(
        "are refused with 413, whichever part of the service reads them",
        arguments: Reader.allCases,
        [true, false]
    )
    func tooLarge(reader: Reader, saysLength: Bool) async throws {
        let served = Notes<Void>()
        let app = try reader.application(Notes(), served)
        let content = String(repeating: "a", count: 100)

        try await app.test(.live) { client in
            try await Wire.open(to: client.port) { reader, writer in
                let body = saysLength ? content : "64\r\n\(content)\r\n0\r\n\r\n"
                let length = saysLength ? "Content-Length: 100" : "Transfer-Encoding: chunked"
                let head = "POST / HTTP/1.1\r\nHost: a\r\n\(length)\r\n\r\n"
                try await writer.write(ByteBuffer(string: head + body))
                try await reader.read(until: "\r\n\r\n")

                expectTrue(reader.text.hasPrefix("HTTP/1.1 413"))
            }
        }
        expectTrue(served.entries.isEmpty)
    }

    @Test("end their reader when the caller disconnects midway", arguments: Reader.allCases)
    func closeWatcher(reader: Reader) async throws {
        let (ended, served) = (Notes<Void>(), Notes<Void>())
        let app = try reader.application(ended, served)

        try await app.test(.live) { client in
            try await Wire.open(to: client.port) { _, writer in
                let head = "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\n"
                try await writer.write(ByteBuffer(string: head + "four"))
                await reader.begun.wait()
                expectTrue(ended.entries.isEmpty)
            }

            await ended.wait()
            expectTrue(!ended.entries.isEmpty)
        }
        expectTrue(served.entries.isEmpty)
    }
}

/// Who reads the content, of which ten bytes at most.
struct Reader: Sendable, CaseIterable, CustomTestStringConvertible {
    enum Kind: CaseIterable { case handler, handlerOfReplacement, interceptor, verification }

    let kind: Kind
    /// Noted when the chain has a request.
    let begun = Notes<Void>()

    static var allCases: [Reader] { Kind.allCases.map { Reader(kind: $0) } }

    var testDescription: String { "\(kind)" }

    /// - Parameters:
    ///   - ended: Noted when the chain is over.
    ///   - served: Noted by the handler once it has the content.
    func application(
        _ ended: Notes<Void>,
        _ served: Notes<Void>
    ) throws -> some ApplicationProtocol {
        let (kind, begun) = (kind, begun)
        return try InterceptorKitHummingbirdTests.application { request, _ in
            if kind == .handler || kind == .handlerOfReplacement {
                _ = try await request.body.collect(upTo: 10)
            }
            served.note(())
            return Response(status: .ok)
        } behind: {
            through { chain in
                defer { ended.note(()) }
                begun.note(())
                return try await chain.proceed()
            }
            interceptors
        }
    }

    private var interceptors: [any Interceptor<HTTP.Request>] {
        switch kind {
        case .handler: []
        case .handlerOfReplacement:
            [
                through { chain in
                    try await chain.proceed { request in
                        let body = request.body
                        request.body = .oneShot(length: body.length, body)
                    }
                }
            ]
        case .interceptor:
            [
                through { chain in
                    _ = try await chain.input.body.collect(upTo: 10)
                    return try await chain.proceed()
                }
            ]
        case .verification:
            [VerifyInterceptor(.hmac(HMACScheme(), keys: FixedSigningKeys([])), upTo: 10)]
        }
    }
}
#endif
