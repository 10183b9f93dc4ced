#if Hummingbird
import Expectations
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import InterceptorKit
import InterceptorKitHummingbird
import InterceptorKitTesting
import NIOCore
import TestRun
import Testing

@Suite(
    "The heads that ChainMiddleware receives",
    .tags(.sockets),
    .serializedAcrossSuites,
    .timeLimit(.minutes(10))
)
struct ReceivedHeadTests {
    @Test("show interceptors the public origin when a proxy is in front")
    func origin() async throws {
        let seen = Notes<String>()
        let handled = Notes<String?>()
        let app = try application(origin: "https://api.example.com") { request, _ in
            handled.note(request.head.authority)
            return Response(status: .ok)
        } behind: {
            through { chain in
                seen.note(chain.input.url.text)
                return try await chain.proceed()
            }
        }

        try await app.test(.router) { client in
            _ = try await client.execute(uri: "/a?b=c", method: .get)
        }

        expectEqual(seen.entries, ["https://api.example.com/a?b=c"])
        expectEqual(handled.entries, ["localhost"])
    }

    @Test(
        "are refused without calling the handler if their target is no URL",
        arguments: ["*", "/a b", "/a#b"]
    )
    func unreadable(target: String) async throws {
        let handled = Notes<Void>()
        let app = try application { _, _ in
            handled.note(())
            return Response(status: .ok)
        }

        let status = try await app.test(.router) { client in
            try await client.execute(uri: target, method: .get).status
        }

        expectTrue(status == .badRequest || status == .ok && target == "/a b")
        expectEqual(handled.entries.isEmpty, (status == .badRequest))
    }
}
#endif
