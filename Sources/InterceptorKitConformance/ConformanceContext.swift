package import InterceptorKit
import InterceptorKitConcurrency
package import InterceptorKitTesting
import Synchronization

#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif

/// The environment of a trial: a transport, and servers that stop with the trial.
package final class ConformanceContext: Sendable {
    package let transport: any Transport<HTTP.Request>
    private let servers = Lock<[LoopbackServer]>([])

    package init(_ transport: any Transport<HTTP.Request>) { self.transport = transport }

    /// Stops every server, so that nothing that still hangs holds a socket.
    package func end() {
        for server in servers.withLock(\.self) { server.stop() }
    }

    package func server(
        _ options: LoopbackServer.Options = LoopbackServer.Options(),
        _ handler: @escaping @Sendable (LoopbackServer.Request) async -> LoopbackServer.Reply
    ) throws -> LoopbackServer {
        let server = try LoopbackServer(options: options, handler)
        servers.withLock { $0.append(server) }
        return server
    }

    /// Starts a server that gives every request the same reply.
    package func server(_ reply: LoopbackServer.Reply) throws -> LoopbackServer {
        try server { _ in reply }
    }

    /// Sends a request; by default without a deadline.
    package nonisolated(nonsending) func send(
        _ request: HTTP.Request,
        deadline: Duration? = nil
    ) async throws -> HTTP.Response {
        let call = Call()
        return try await transport.send(
            request,
            call: deadline.map(call.withDeadline(within:)) ?? call
        )
    }

    /// Sends a request and reads the response's body to its end.
    package nonisolated(nonsending) func exchange(
        _ request: HTTP.Request
    ) async throws -> (head: HTTP.Response, body: Data) {
        let response = try await send(request)
        return (response, try await response.body.collect(upTo: 64 << 20))
    }

    /// Sends a request and returns it as it arrives.
    package nonisolated(nonsending) func arrival(
        of request: (LoopbackServer) -> HTTP.Request
    ) async throws -> LoopbackServer.Request {
        let server = try server(.status(200))
        _ = try await exchange(request(server))
        return try single(server)
    }

    /// Sends a GET that gets a reply, and reads the response.
    package nonisolated(nonsending) func response(
        _ reply: LoopbackServer.Reply
    ) async throws -> (head: HTTP.Response, body: Data) {
        try await exchange(.get(server(reply).url("/")))
    }

    /// Returns the only request of a server.
    package func single(_ server: LoopbackServer) throws(ExpectationFailure)
        -> LoopbackServer.Request
    {
        let requests = server.requests
        guard requests.count == 1, let request = requests.first else {
            throw ExpectationFailure(
                "The server received \(requests.count) requests instead of one."
            )
        }
        return request
    }
}

/// A failed expectation of a requirement.
package struct ExpectationFailure: Error, CustomStringConvertible {
    package let description: String

    package init(_ description: String) { self.description = description }
}

package func expect(_ condition: Bool, _ otherwise: @autoclosure () -> String)
    throws(ExpectationFailure)
{
    if !condition { throw ExpectationFailure(otherwise()) }
}

package func expect<Value: Equatable>(
    _ actual: Value,
    is expected: Value,
    _ what: String
) throws(ExpectationFailure) {
    if actual != expected {
        throw ExpectationFailure("\(what) is \(shown(actual)) instead of \(shown(expected)).")
    }
}

private func shown(_ value: some Any) -> String {
    let text = (value as? Data).map { "\($0.count) bytes" } ?? String(reflecting: value)
    return text.count > 200 ? text.prefix(200) + "…" : text
}
