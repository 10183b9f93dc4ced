import Foundation
import InterceptorKit
import InterceptorKitConcurrency
import InterceptorKitRouting
import InterceptorKitTesting
import Synchronization

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Adds its name to a field of the request and of the response, in the order of passing.
struct Mark: Interceptor {
    let name: String

    func intercept(chain: InterceptorChain<HTTP.Request>) async throws -> HTTP.Response {
        var response = try await chain.proceed(changing: {
            $0.headers.append(name: "X-Down", value: name)
        })
        response.headers.append(name: "X-Up", value: name)
        return response
    }
}

/// A session whose requests pass a client, and a data task's three answers as one value.
func routedSession(
    through client: HTTP.Client,
    upTo limit: Int = 64 << 20,
    delegate: (any URLSessionDelegate)? = nil,
    _ configure: (URLSessionConfiguration) -> Void = { _ in }
) -> URLSession {
    let configuration = URLSessionConfiguration.ephemeral
    configure(configuration)
    return URLSession(
        configuration: configuration.routed(through: client, upTo: limit),
        delegate: delegate,
        delegateQueue: nil
    )
}

func urlRequest(
    _ url: HTTP.URL,
    _ method: String = "GET",
    body: String? = nil
) -> URLRequest {
    var request = URLRequest(url: URL(string: url.text) ?? URL(fileURLWithPath: "/"))
    request.httpMethod = method
    request.httpBody = body.map { Data($0.utf8) }
    return request
}

extension URLSession {
    /// A completion handler's answer, from the task it was made for.
    func answer(
        to request: URLRequest,
        _ started: @Sendable @escaping (URLSessionDataTask) -> Void = { _ in }
    ) async -> Result<(Data, HTTPURLResponse), URLError> {
        await withCheckedContinuation { continuation in
            let task = dataTask(with: request) { data, response, error in
                if let data, let response = response as? HTTPURLResponse {
                    continuation.resume(returning: .success((data, response)))
                } else {
                    let error = error as? URLError ?? URLError(.unknown)
                    continuation.resume(returning: .failure(error))
                }
            }
            task.resume()
            started(task)
        }
    }
}

/// Notes what a session delegate is told.
final class DelegateLog: NSObject, URLSessionDataDelegate {
    struct Facts {
        var statuses: [Int] = []
        var chunks: [Data] = []
        var endings: [URLError?] = []
    }

    private let facts = Lock(Facts())
    private let onChange: @Sendable (Facts) -> Void

    init(onChange: @escaping @Sendable (Facts) -> Void = { _ in }) { self.onChange = onChange }

    var current: Facts { facts.withLock { $0 } }

    func urlSession(
        _ session: URLSession,
        dataTask: URLSessionDataTask,
        didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
        note { $0.statuses.append((response as? HTTPURLResponse)?.statusCode ?? 0) }
        completionHandler(.allow)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        note { $0.chunks.append(data) }
    }

    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didCompleteWithError error: (any Error)?
    ) {
        note { $0.endings.append(error.map { $0 as? URLError ?? URLError(.unknown) }) }
    }

    private func note(_ change: (inout Facts) -> Void) {
        onChange(
            facts.withLock { facts in
                change(&facts)
                return facts
            }
        )
    }
}

func pieces(of content: Data) -> HTTP.Body {
    .replayable {
        AsyncStream { stream in
            for start in Swift.stride(from: 0, to: content.count, by: 7000) {
                stream.yield(content[start..<min(start + 7000, content.count)])
            }
            stream.finish()
        }
    }
}

func client(answering body: HTTP.Body) throws -> HTTP.Client {
    try HTTP.Client(
        transport: ScriptedTransport<HTTP.Request> { _, _ in HTTP.Response(body: body) },
        timeout: nil
    ) {}
}
