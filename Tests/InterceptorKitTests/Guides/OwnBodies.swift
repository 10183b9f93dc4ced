import InterceptorKit
import Synchronization

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

// What a third party writes, with the public interface alone.

/// Hands over what callers have read to the end, unless it may be for one user.
struct KeepingInterceptor: Interceptor {
    let keep: @Sendable (HTTP.URL, Data) -> Void

    func intercept(chain: InterceptorChain<HTTP.Request>) async throws -> HTTP.Response {
        let observer = CredentialObserver()
        let call = chain.call.addingCredentialObserver(observer)
        var response = try await chain.proceed(chain.input, call: call)
        guard !observer.hasSeenCredential else { return response }
        let url = chain.input.url
        response.body = response.body.wrapping { [keep] base in
            CopyingStream(base) { keep(url, $0) }
        }
        return response
    }
}

/// Copies what is read of another stream.
final class CopyingStream: HTTP.BodyStream {
    private let base: any HTTP.BodyStream
    private let copy = Mutex(Data())
    private let onEnd: @Sendable (Data) -> Void

    init(_ base: any HTTP.BodyStream, onEnd: @escaping @Sendable (Data) -> Void) {
        self.base = base
        self.onEnd = onEnd
    }

    func next() async throws -> Data? {
        guard let chunk = try await base.next() else {
            onEnd(copy.withLock { $0 })
            return nil
        }
        copy.withLock { $0 += chunk }
        return chunk
    }

    func cancel() { base.cancel() }
}

/// Ends a body that takes too long.
struct BodyDeadlineInterceptor: Interceptor {
    let limit: Duration

    func intercept(chain: InterceptorChain<HTTP.Request>) async throws -> HTTP.Response {
        var response = try await chain.proceed()
        guard let body = HTTP.WeakBody(response.body) else { return response }
        let runtime = chain.call.runtime
        let timer = runtime.timer(at: runtime.now.advanced(by: limit), "end of a body") {
            body.cancel()
        }
        response.body = response.body.tapped(onEnd: { _ in timer.cancel() })
        return response
    }
}

/// Sends each request once more after its caller has the response, in a call of its own.
struct RepeatingInterceptor: Interceptor {
    func intercept(chain: InterceptorChain<HTTP.Request>) async throws -> HTTP.Response {
        let response = try await chain.proceed()
        let runtime = chain.call.runtime
        let call = chain.call.detached(deadline: runtime.now.advanced(by: .seconds(5)))
        _ = runtime.start("repetition") {
            guard let second = try? await chain.proceed(chain.input, call: call) else { return }
            await second.discard()
        }
        return response
    }
}

/// A response of your own, for tests.
struct AnsweringTransport: Transport {
    let answer: @Sendable (HTTP.Request, Call) -> HTTP.Response

    func send(_ input: HTTP.Request, call: Call) async throws -> HTTP.Response {
        answer(input, call)
    }
}

/// A stream that gives chunks, then trailers or an error, or waits until it is cancelled.
final class ScriptedStream: HTTP.BodyStream {
    struct Broken: Error {}
    enum End { case trailers(HTTP.Headers), error, silence }

    private let chunks: AsyncThrowingStream<Data, any Error>
    private let continuation: AsyncThrowingStream<Data, any Error>.Continuation
    private let end: End
    private let isOver = Mutex(false)
    let isCancelled = Mutex(false)

    init(_ texts: [String], _ end: End = .trailers([:])) {
        (chunks, continuation) = AsyncThrowingStream.makeStream()
        self.end = end
        for text in texts { continuation.yield(Data(text.utf8)) }
        switch end {
        case .trailers: continuation.finish()
        case .error: continuation.finish(throwing: Broken())
        case .silence: break
        }
    }

    var trailers: HTTP.Headers? {
        guard case .trailers(let fields) = end else { return nil }
        return isOver.withLock { $0 } ? fields : nil
    }

    func next() async throws -> Data? {
        for try await chunk in chunks { return chunk }
        isOver.withLock { $0 = true }
        return nil
    }

    func cancel() {
        isCancelled.withLock { $0 = true }
        continuation.finish(throwing: CancellationError())
    }
}
