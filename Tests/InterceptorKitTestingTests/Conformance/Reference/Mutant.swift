import ConformanceReference
import Foundation
import InterceptorKit

@testable import InterceptorKitConformance

/// A transport that is broken in one way.
struct Mutant: Sendable {
    typealias Next = @Sendable (HTTP.Request, Call) async throws -> HTTP.Response

    let name: String
    /// Whether what it breaks shows by never ending.
    let hangs: Bool
    let make: @Sendable () -> any Transport<HTTP.Request>

    static let all = requests + answers + conduct

    /// Flaws of the reference transport itself.
    init(_ name: String, _ flaws: Flaw..., hangs: Bool = false) {
        self.name = name
        self.hangs = hangs
        make = { ReferenceTransport(Set(flaws)) }
    }

    /// A wrapper around the reference transport.
    init(
        _ name: String,
        hangs: Bool = false,
        _ change: @escaping @Sendable (HTTP.Request, Call, Next) async throws -> HTTP.Response
    ) {
        self.name = name
        self.hangs = hangs
        make = { Wrapper(change: change) }
    }

    /// A wrapper that remembers something of one call for another.
    init(
        _ name: String,
        remembering:
            @escaping @Sendable () ->
            @Sendable (
                HTTP.Request, Call, Next
            ) async throws -> HTTP.Response
    ) {
        self.name = name
        hangs = false
        make = { Wrapper(change: remembering()) }
    }

    /// Changes what is sent.
    static func sent(
        _ name: String,
        _ change: @escaping @Sendable (inout HTTP.Request) async throws -> Void
    ) -> Mutant {
        Mutant(name) { request, call, next in
            var changed = request
            try await change(&changed)
            var response = try await next(changed, call)
            response.request = request
            return response
        }
    }

    /// Changes what is delivered.
    static func delivered(
        _ name: String,
        hangs: Bool = false,
        _ change: @escaping @Sendable (inout HTTP.Response) async throws -> Void
    ) -> Mutant {
        Mutant(name, hangs: hangs) { request, call, next in
            var response = try await next(request, call)
            try await change(&response)
            return response
        }
    }

    /// Changes the delivered body as a whole.
    static func body(
        _ name: String,
        _ change: @escaping @Sendable (Data) -> Data
    ) -> Mutant {
        delivered(name) { response in
            let body = try await response.body.collect(upTo: 64 << 20)
            response.body = .oneShot(Samples.single(change(body)))
        }
    }
}

private struct Wrapper: Transport {
    typealias Input = HTTP.Request

    let base = ReferenceTransport()
    let change: @Sendable (HTTP.Request, Call, Mutant.Next) async throws -> HTTP.Response

    func send(_ input: HTTP.Request, call: Call) async throws -> HTTP.Response {
        let base = base
        return try await change(input, call) { try await base.send($0, call: $1) }
    }
}

extension Samples {
    static func single(_ chunk: Data) -> AsyncStream<Data> {
        AsyncStream { source in
            source.yield(chunk)
            source.finish()
        }
    }
}
