import Dispatch
import Foundation
import InterceptorKit
import InterceptorKitConcurrency
import Synchronization

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Creates, starts and cancels data tasks of a session that others may use too.
///
/// On Linux, each of these operations waits for the queue that all sessions share, so none runs in the caller's task.
/// Cancelling `data(for:)` there stops all networking of the process.
final class DataTaskQueue: Sendable {
    private let session: URLSession
    private let queue = DispatchQueue(label: "InterceptorKit.DataTaskTransport")
    private let isBackground: Bool
    private let mayBeCancelled: Bool
    /// The longest silence of a connection, in seconds.
    let timeoutInterval: TimeInterval

    init(_ session: URLSession) {
        self.session = session
        // Each access makes a copy.
        let configuration = session.configuration
        isBackground = configuration.identifier != nil
        timeoutInterval = configuration.timeoutIntervalForRequest
        #if canImport(FoundationNetworking)
        // Cancelling a task while a cache is looked up ends the process.
        mayBeCancelled = configuration.urlCache == nil
        #else
        mayBeCancelled = true
        #endif
    }

    /// Throws for a background session: it has no data tasks, and asking for one ends the process.
    func refuseBackground(host: String) throws(TransportError) {
        guard isBackground else { return }
        throw TransportError(
            .unsupported,
            "A background session has no data tasks; nothing was sent to \(host). Use another session.",
            isUnsent: true
        )
    }

    /// Sends a request and returns the whole response, without its data where the engine has lost it.
    func data(for request: URLRequest) async throws -> (Data?, URLResponse) {
        let exchange = DataTaskExchange(on: queue)
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { caller in
                queue.async { exchange.start(request, in: self.session, for: caller) }
            }
        } onCancel: {
            if mayBeCancelled { queue.async { exchange.cancel() } }
        }
    }
}

/// A data task, its delegate, and the continuation of the caller that waits for it.
final class DataTaskExchange: NSObject, URLSessionTaskDelegate {
    typealias Caller = CheckedContinuation<(Data?, URLResponse), any Error>

    private struct Contents {
        var caller: Caller?
        var task: URLSessionDataTask?
        var isCancelled = false
        var isRedirectDecided = false
    }

    private let queue: DispatchQueue
    private let contents = Lock(Contents())

    init(on queue: DispatchQueue) { self.queue = queue }

    func start(_ request: URLRequest, in session: URLSession, for caller: Caller) {
        if contents.withLock(\.isCancelled) { return caller.resume(throwing: CancellationError()) }
        let task = session.dataTask(with: request) { data, response, error in
            if let response, error == nil {
                let data = data ?? Data()
                self.end(.success((self.isLost(data, of: response) ? nil : data, response)))
            } else {
                self.end(.failure(URLError(wrapping: error ?? URLError(.badServerResponse))))
            }
        }
        task.delegate = self
        contents.withLock { contents in
            contents.caller = caller
            contents.task = task
        }
        task.resume()
    }

    // As in `RequestOperation.cancelTask()`, a cancellation and the decision about a redirect must not cross.
    func cancel() {
        let task = contents.withLock { contents -> URLSessionDataTask? in
            if contents.isRedirectDecided { return nil }
            contents.isCancelled = true
            return contents.task.take()
        }
        task?.cancel()
    }

    // Foundation on Linux gives a handler no data when a redirect is refused.
    private func isLost(_ data: Data, of response: URLResponse) -> Bool {
        #if canImport(FoundationNetworking)
        data.isEmpty && response.expectedContentLength != 0
            && contents.withLock(\.isRedirectDecided)
        #else
        false
        #endif
    }

    private func end(_ result: Result<(Data?, URLResponse), any Error>) {
        let caller = contents.withLock { contents in
            contents.task = nil
            return contents.caller.take()
        }
        caller?.resume(with: result)
    }

    // Redirects are refused: an interceptor follows them and decides what another origin receives.
    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest,
        completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        if decideRedirect() { completionHandler(nil) }
    }

    private func decideRedirect() -> Bool {
        #if canImport(FoundationNetworking)
        contents.withLock { contents in
            contents.isRedirectDecided = !contents.isCancelled
            return contents.isRedirectDecided
        }
        #else
        true
        #endif
    }

    #if canImport(FoundationNetworking)
    // On other platforms the session's delegate gets each challenge that the task's delegate does not implement.
    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didReceive challenge: URLAuthenticationChallenge,
        completionHandler:
            @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        if let delegate = session.delegate as? any URLSessionTaskDelegate {
            delegate.urlSession(
                session,
                task: task,
                didReceive: challenge,
                completionHandler: completionHandler
            )
            return
        }
        #if compiler(<6.3.2)
        // Without a credential nothing ends the task, and its data is out of reach.
        if challenge.proposedCredential == nil, let response = challenge.failureResponse {
            end(.success((nil, response)))
            queue.async { task.cancel() }
            return
        }
        #endif
        completionHandler(.performDefaultHandling, nil)
    }

    // libcurl resends on a new connection after a kept one broke, although the request may have been executed.
    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        needNewBodyStream completionHandler: @escaping @Sendable (InputStream?) -> Void
    ) {
        end(.failure(URLError(.networkConnectionLost)))
        queue.async { task.cancel() }
        completionHandler(nil)
    }
    #endif
}
