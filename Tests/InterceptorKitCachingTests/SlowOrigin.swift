import InterceptorKit
import InterceptorKitCaching
import InterceptorKitConcurrency
import InterceptorKitTesting
import Synchronization
import TestSupport

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// An origin that takes its time, with `answer 1`, `answer 2`, … in several chunks, and counts what is under
/// way; a client that caches beside it.
final class SlowOrigin: Sendable {
    /// What happens to a send.
    enum Fate: UInt64 {
        case whole
        /// The connection breaks before a response.
        case lost
        /// The response ends in the middle.
        case cut
        /// What the client has still holds; a whole answer, if it has nothing.
        case unchanged
        /// No answer comes for an hour.
        case stalled
    }

    struct Sends {
        var begun = 0
        var open = 0
        var mostOpen = 0
        /// Those whose whole answer was taken.
        var whole: [Whole] = []
    }

    struct Whole {
        let number: Int
        /// When its head came.
        let began: Duration
        /// When its end came.
        let ended: Duration
        var text: String { SlowOrigin.text(number) }
    }

    private final class Recorded: Sendable {
        let state = Lock(Sends())
    }

    let store: MemoryCacheStore
    let client: HTTP.Client
    let runtime: Runtime
    private let sends: Recorded

    var counts: Sends { sends.state.withLock { $0 } }

    /// - Parameters:
    ///   - freshness: The answers' `Cache-Control`.
    ///   - delay: What a response takes at least, in seconds. Defaults to nothing.
    ///   - pause: The longest a step takes beyond that, in seconds. Defaults to 3.
    ///   - fate: What happens to the send of that number.
    init(
        _ simulation: Simulation,
        _ freshness: String,
        delay: Int = 0,
        pause: Int = 3,
        policy: CachePolicy = CachePolicy(collapsingTimeout: .seconds(3600)),
        fate: @escaping @Sendable (_ number: Int) -> Fate = { _ in .whole }
    ) throws {
        let sends = Recorded()
        let runtime = simulation.runtime
        let store = MemoryCacheStore()
        self.sends = sends
        self.runtime = runtime
        self.store = store
        let transport = ScriptedTransport<HTTP.Request> { request, call in
            let number = sends.state.withLock { sends in
                sends.begun += 1
                sends.open += 1
                sends.mostOpen = max(sends.mostOpen, sends.open)
                return sends.begun
            }
            let end = SendEnd {
                sends.state.withLock { $0.open -= 1 }
            }
            defer { withExtendedLifetime(end) {} }
            try await call.runtime.sleep(for: .seconds(delay))
            try await call.runtime.pause(upTo: pause)
            let headers: HTTP.Headers = [
                "Cache-Control": freshness, "ETag": "\"\(number)\"", "Content-Type": "text/plain",
            ]
            let fate = fate(number)
            if fate == .stalled { try await call.runtime.sleep(for: .seconds(3600)) }
            switch fate {
            case .lost: throw TransportError(.connectionLost, "Lost.")
            case .unchanged where request.headers.contains("If-None-Match"):
                return HTTP.Response(304, headers: ["Cache-Control": freshness])
            default: break
            }
            let text = Self.text(number)
            let began = runtime.now.offset
            let stream = SlowText(text, runtime, end, pause: pause, isCut: fate == .cut) {
                let whole = Whole(number: number, began: began, ended: runtime.now.offset)
                sends.state.withLock { $0.whole.append(whole) }
            }
            let length = Data(text.utf8).count
            return HTTP.Response(200, headers: headers, body: .oneShot(length: length, stream))
        }
        client = try simulation.client(transport) {
            CacheInterceptor(store: store, policy: policy, partition: .oneIdentity)
        }
    }

    static func text(_ number: Int) -> String { "answer \(number), all of it" }

    /// What is stored, each with its text.
    func stored() async throws -> [String] {
        var texts: [String] = []
        for response in await store.contents() {
            guard let body = await store.body(of: response) else { continue }
            texts.append(String(decoding: try await body.collect(), as: UTF8.self))
        }
        return texts
    }
}

/// Is over once, at the latest when nobody knows of it any more.
final class SendEnd: Sendable {
    private let whenOver: Lock<(@Sendable () -> Void)?>

    init(_ whenOver: @escaping @Sendable () -> Void) { self.whenOver = Lock(whenOver) }

    deinit { end() }

    func end() { whenOver.withLock { $0.take() }?() }
}

/// A text in three chunks, each of which takes a while.
final class SlowText: HTTP.BodyStream {
    private let rest: Lock<[Data]?>
    private let runtime: Runtime
    private let end: SendEnd
    private let pause: Int
    private let isCut: Bool
    private let whenWhole: @Sendable () -> Void

    init(
        _ text: String,
        _ runtime: Runtime,
        _ end: SendEnd = SendEnd {},
        pause: Int,
        isCut: Bool = false,
        whenWhole: @escaping @Sendable () -> Void = {}
    ) {
        let bytes = Data(text.utf8)
        rest = Lock([bytes.prefix(5), bytes.dropFirst(5).prefix(5), bytes.dropFirst(10)])
        self.runtime = runtime
        self.end = end
        self.pause = pause
        self.isCut = isCut
        self.whenWhole = whenWhole
    }

    func next() async throws -> Data? {
        if rest.withLock({ $0 == nil }) { return nil }
        try await runtime.pause(upTo: pause)
        let chunk = rest.withLock { rest in
            if rest?.isEmpty == true { rest = nil }
            return rest?.removeFirst()
        }
        if chunk == nil {
            whenWhole()
            end.end()
        } else if isCut && rest.withLock({ $0?.isEmpty == true }) {
            end.end()
            throw TransportError(.connectionLost, "Lost within the body.")
        }
        return chunk
    }

    func cancel() { end.end() }
}

extension Runtime {
    /// Lets some whole seconds pass, or none.
    func pause(upTo seconds: Int) async throws {
        try await sleep(for: .seconds(Int(random() % UInt64(seconds + 1))))
    }
}
