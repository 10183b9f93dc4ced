import Foundation
import InterceptorKit
import InterceptorKitTesting

/// Hands requests to a case's origin without a network, in the time of the call.
struct CacheTestTransport: Transport {
    let origin: CacheTestOrigin

    func send(_ request: HTTP.Request, call: Call) async throws -> HTTP.Response {
        try await call.runtime.sleep(for: origin.pause(before: request.headers))
        let answer = origin.answer(
            to: request.method,
            request.url.requestTarget,
            request.headers,
            now: call.runtime.date
        )
        for interim in answer.interim {
            call.onInformational?(HTTP.Response(interim.status, headers: interim.headers))
        }
        guard !answer.isLost else {
            throw TransportError(.connectionLost, "The origin ended the connection.")
        }
        let body = answer.body
        let chunks = AsyncStream { continuation in
            for byte in body { continuation.yield(Data([byte])) }
            continuation.finish()
        }
        return HTTP.Response(
            answer.status,
            headers: answer.headers,
            body: body.isEmpty ? .empty : .oneShot(length: body.count, chunks),
            request: request
        )
    }
}

extension CacheTestOrigin.Answer {
    /// The same as a server gives it.
    var reply: LoopbackServer.Reply {
        guard !isLost else { return .closedBeforeReply }
        return interim.reduce(.status(status, headers: headers, body: body)) { reply, interim in
            reply.preceded(by: interim.status, headers: interim.headers)
        }
    }
}
