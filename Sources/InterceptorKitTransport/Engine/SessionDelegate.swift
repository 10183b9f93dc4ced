import Foundation
import InterceptorKit
import InterceptorKitEngine

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Turns the engine's callbacks into events of their exchange.
final class SessionDelegate: NSObject, URLSessionDataDelegate {
    private let registry: TaskRegistry

    private let trust: TrustPolicy?

    init(_ registry: TaskRegistry, trust: TrustPolicy?) {
        self.registry = registry
        self.trust = trust
    }

    func urlSession(
        _ session: URLSession,
        dataTask: URLSessionDataTask,
        didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
        if let response = response as? HTTPURLResponse,
            let operation = registry.operation(of: dataTask)
        {
            receive(ResponseHead(response), operation)
        }
        completionHandler(.allow)
    }

    private func receive(_ head: ResponseHead, _ operation: RequestOperation) {
        // Conversion and checks run in the caller's task, because every session shares this queue.
        guard head.status.code < 200 else { return operation.receive(head) }
        // The interim response may be a proxy's.
        if operation.outgoing.mayBeTunnelled { return }
        let head = head.converted()
        let outgoing = operation.outgoing
        if !head.hasUsableLength(method: outgoing.urlRequest.httpMethod) {
            operation.fail(.lengthUnusable)
        }
        outgoing.onInformational?(HTTP.Response(head.status, headers: head.headers))
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        registry.operation(of: dataTask)?.receive(data)
    }

    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didSendBodyData bytesSent: Int64,
        totalBytesSent: Int64,
        totalBytesExpectedToSend: Int64
    ) {
        guard let outgoing = registry.operation(of: task)?.outgoing else { return }
        // The engine has opened the file by now, and never opens it again.
        outgoing.spool?.remove()
        outgoing.onBodySent?(Int(totalBytesSent))
    }

    // No stream is ever sent, so on Linux this callback means that libcurl resends on a new connection after a kept one
    // broke, although the request may have been executed. The head is sent again regardless; withholding the body keeps
    // any host from getting a second request.
    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        needNewBodyStream completionHandler: @escaping @Sendable (InputStream?) -> Void
    ) {
        if let operation = registry.operation(of: task), operation.outgoing.hasBody {
            operation.fail(.resent)
        }
        completionHandler(nil)
    }

    // Redirects are refused: an interceptor follows them and decides what another origin receives.
    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest,
        completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        if registry.operation(of: task)?.decideRedirect() == true { completionHandler(nil) }
    }

    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didReceive challenge: URLAuthenticationChallenge,
        completionHandler:
            @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        #if canImport(FoundationNetworking)
        // Up to 6.3.1 nothing ends the task after a Basic challenge; the 401 has arrived by now.
        if let response = challenge.failureResponse as? HTTPURLResponse {
            registry.operation(of: task)?.challenge(ResponseHead(response))
            return
        }
        #endif
        guard let trust, challenge.isAboutCertificates else {
            completionHandler(.performDefaultHandling, nil)
            return
        }
        let (disposition, credential) = trust.decision(challenge)
        completionHandler(disposition, credential)
    }

    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didCompleteWithError error: (any Error)?
    ) {
        guard let operation = registry.operation(of: task) else { return }
        let mayHaveArrived = mayHaveArrived(task, operation.outgoing, error)
        operation.complete(
            error.map { error in
                operation.outgoing.isCutShort
                    ? .fileCutShort
                    : .engine(
                        URLError(wrapping: error),
                        mayHaveArrived: mayHaveArrived
                    )
            },
            head: (task.response as? HTTPURLResponse).map(ResponseHead.init)
        )
        registry.forget(operation, task: task)
    }

    private func mayHaveArrived(
        _ task: URLSessionTask,
        _ outgoing: OutgoingRequest,
        _ error: (any Error)?
    ) -> Bool {
        guard !outgoing.needsOwnConnection else { return false }
        let isRefused = (error as? URLError)?.code == .cannotConnectToHost
        let ending: KeptConnections.Ending = error == nil ? .whole : isRefused ? .refused : .failed
        guard registry.end(task, to: outgoing.host, ending) else { return false }
        return !outgoing.hasBody || task.countOfBytesSent > 0
    }
}

extension URLError {
    /// Creates the error from a `URLError` or as one that wraps the error.
    init(wrapping error: any Error) {
        self = URLError(from: error) ?? URLError(.unknown, userInfo: [NSUnderlyingErrorKey: error])
    }

    /// Creates the error from a `URLError`, or from any error of its domain; `nil` for other errors.
    init?(from error: any Error) {
        if let error = error as? URLError {
            self = error
            return
        }
        let error = error as NSError
        // Only Foundation on Linux has numbers without a code.
        guard error.domain == NSURLErrorDomain,
            let code = URLError.Code(rawValue: error.code) as URLError.Code?
        else { return nil }
        self.init(code, userInfo: error.userInfo)
    }
}
