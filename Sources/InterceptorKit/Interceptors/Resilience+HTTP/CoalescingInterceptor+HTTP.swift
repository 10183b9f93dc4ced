import InterceptorKitConcurrency
import Synchronization

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension CoalescingInterceptor where Input == HTTP.Request {
    /// Creates an interceptor for requests with safe methods (RFC 9110 section 9.2.1).
    ///
    /// Requests are equal if their method, URL, fields and body are equal, including `Authorization` and `Cookie`. A
    /// request whose body is not in memory is never shared, nor is an endless response (`text/event-stream`).
    ///
    /// A response with several waiting calls is returned when its body is complete, to each as bytes in memory; a
    /// response with one waiting call streams as usual. If a response is larger than the limit, the first call gets the
    /// body as it arrives, and the others send for themselves.
    /// - Parameters:
    ///   - limit: The largest body that is kept for sharing, in bytes. Defaults to 5 MiB, as in undici.
    ///   - ignored: The names of fields that make no difference, such as request numbers. `Authorization`, `Cookie` and
    ///     `Proxy-Authorization` always count.
    public init(upTo limit: Int = 5 << 20, ignoring ignored: [String] = []) {
        self.init(
            key: { $0.coalescingKey(ignoring: ignored) },
            problem: Self.problem(limit),
            share: { try await $0.shareable(upTo: limit) }
        )
    }

    private static func problem(_ limit: Int) -> SettingError? {
        do {
            try SettingCheck(of: "CoalescingInterceptor").notNegative("limit", limit)
            return nil
        } catch {
            return error
        }
    }
}

extension HTTP.Request {
    fileprivate func coalescingKey(ignoring ignored: [String]) -> CoalescingKey? {
        guard method.isSafe, let content = body.inMemory else { return nil }
        var key = CoalescingKey(method.rawValue, url.text)
        key.append(content)
        for field in headers where !field.isIgnored(by: ignored) {
            key.append(field.name.lowercased())
            key.append(field.value)
        }
        return key
    }
}

extension HTTP.Headers.Field {
    fileprivate func isIgnored(by ignored: [String]) -> Bool {
        let credentials = ["Authorization", "Cookie", "Proxy-Authorization"]
        return ignored.contains { HTTP.FieldSyntax.isSameName($0, name) }
            && !credentials.contains { HTTP.FieldSyntax.isSameName($0, name) }
    }
}

extension HTTP.Response {
    fileprivate func shareable(upTo limit: Int) async throws -> SharedOutput<HTTP.Response> {
        guard !isEndless else { return .one(self) }
        let seen = try await body.peek(upTo: limit.saturatingAdding(1))
        guard seen.count <= limit else { return .one(self) }
        // Collected out of memory, so that the stream reaches its end.
        let content = try await body.collect(upTo: limit)
        let trailers = body.trailers
        return .all {
            var whole = self
            whole.body =
                if let trailers {
                    .oneShot(length: content.count, WholeStream(content, trailers))
                } else {
                    .bytes(content)
                }
            return whole
        }
    }
}

/// Content in memory with trailer fields.
private final class WholeStream: HTTP.BodyStream {
    private enum State {
        case unread(Data)
        case read
        case released
    }

    private let state: Lock<State>
    private let fields: HTTP.Headers

    init(_ content: Data, _ fields: HTTP.Headers) {
        state = Lock(.unread(content))
        self.fields = fields
    }

    var trailers: HTTP.Headers? {
        state.withLock { if case .read = $0 { fields } else { nil } }
    }

    nonisolated(nonsending) func next() async throws -> Data? {
        try state.withLock { state throws(CancellationError) in
            switch state {
            case .unread(let content):
                state = .read
                return content
            case .read: return nil
            case .released: throw CancellationError()
            }
        }
    }

    func cancel() {
        state.withLock { if case .unread = $0 { $0 = .released } }
    }
}
