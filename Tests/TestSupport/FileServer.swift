package import InterceptorKit
import InterceptorKitConcurrency
package import InterceptorKitTesting
import Synchronization

#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif

/// Answers as a file server does, with bodies that break off, and remembers what it was asked.
package final class FileServer: Sendable {
    /// How a response's body goes wrong.
    package enum Fault: Sendable {
        /// It fails after so many bytes.
        case lost(after: Int)
        /// It ends after so many bytes, as if that were all.
        case cut(after: Int)
    }

    private struct State {
        var content: RangedContent
        var faults: [Fault?]
        var requests: [HTTP.Headers] = []
    }

    private let state: Lock<State>
    package let change: @Sendable (inout RangedContent, _ number: Int) -> Void
    package let distort: @Sendable (inout RangedContent.Response, _ number: Int) -> Void

    /// - Parameters:
    ///   - content: What is served.
    ///   - faults: What goes wrong with the first answers, in order.
    ///   - change: Changes the content before a request is answered.
    ///   - distort: Changes a response.
    package init(
        _ content: String = "0123456789",
        _ headers: HTTP.Headers = ["ETag": "\"1\""],
        faults: [Fault?] = [],
        change: @escaping @Sendable (inout RangedContent, Int) -> Void = { _, _ in },
        distort: @escaping @Sendable (inout RangedContent.Response, Int) -> Void = { _, _ in }
    ) {
        let ranged = RangedContent(Data(content.utf8), headers: headers)
        state = Lock(State(content: ranged, faults: faults))
        self.change = change
        self.distort = distort
    }

    /// The fields of each request, in order.
    package var requests: [HTTP.Headers] { state.withLock { $0.requests } }
    package var ranges: [String?] { requests.map { $0["Range"] } }

    package var transport: ScriptedTransport<HTTP.Request> {
        ScriptedTransport { [self] request, call in
            if let cut = request.url.query {
                try await call.runtime.sleep(for: .seconds(cut.count))
            }
            return answer(request)
        }
    }

    private func answer(_ request: HTTP.Request) -> HTTP.Response {
        let (answer, fault) = state.withLock { state in
            state.requests.append(request.headers)
            let number = state.requests.count
            change(&state.content, number)
            var answer = state.content.response(to: request.headers)
            distort(&answer, number)
            return (answer, state.faults.isEmpty ? nil : state.faults.removeFirst())
        }
        return HTTP.Response(
            answer.status,
            headers: answer.headers,
            body: .oneShot(
                length: answer.headers["X-Length"] == "unknown" ? nil : answer.body.count,
                FaultyStream(answer.body, fault)
            )
        )
    }
}

/// A body in chunks of four bytes.
package final class FaultyStream: HTTP.BodyStream {
    private let rest: Lock<Data>
    private let isLost: Bool

    package init(_ content: Data, _ fault: FileServer.Fault?) {
        switch fault {
        case nil:
            rest = Lock(content)
            isLost = false
        case .lost(let count):
            rest = Lock(content.prefix(count))
            isLost = true
        case .cut(let count):
            rest = Lock(content.prefix(count))
            isLost = false
        }
    }

    package func next() async throws -> Data? {
        let chunk = rest.withLock { rest in
            let chunk = Data(rest.prefix(4))
            rest = Data(rest.dropFirst(4))
            return chunk
        }
        guard chunk.isEmpty else { return chunk }
        if isLost { throw TransportError(.connectionLost, "The connection was lost.") }
        return nil
    }

    package func cancel() {}
}
