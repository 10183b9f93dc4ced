#if canImport(FoundationNetworking)
import Dispatch
import Foundation
import FoundationNetworking
import InterceptorKit
import InterceptorKitTransport

/// Properties of a task that Foundation on Linux does not tell a `URLProtocol`. They are found by their names in Swift
/// 6.3; if a name is not found, a safe default is used.
///
/// Read them on the task's own queue, which guards them.
extension URLSessionTask {
    /// Whether the reader gets only the last chunk of the body, as completion handlers and async calls do, rather than
    /// each chunk, as a session delegate does.
    var keepsLastChunkAlone: Bool {
        guard delegate is any URLSessionDataDelegate,
            let session = stored("session", in: self),
            let registry = stored("taskRegistry", in: session),
            let all = stored("behaviours", in: registry) as? [Int: Any],
            let behaviour = all[taskIdentifier]
        else { return true }
        // Only `callDelegate` has no associated handler.
        return !Mirror(reflecting: behaviour).children.isEmpty
    }

    /// The body of an upload task; `nil` if it is unknown, for example because a delegate must provide it.
    var uploadBody: HTTP.Body? {
        guard let body = stored("knownBody", in: self) else { return nil }
        switch Mirror(reflecting: body).children.first?.value {
        case let data as DispatchData: return .bytes(data.regions.reduce(into: Data()) { $0 += $1 })
        case let file as URL: return .file(file.path)
        case let stream as InputStream: return content(of: stream)
        default: return nil
        }
    }
}

/// Returns the content of a stream as the body of a request.
private func content(of stream: InputStream) -> HTTP.Body? {
    var request = URLRequest(url: URL(fileURLWithPath: "/"))
    request.httpBodyStream = stream
    return try? HTTP.Request(request).body
}

/// Returns the value of a stored property of an object's class or superclasses.
private func stored(_ name: String, in object: Any) -> Any? {
    var mirror: Mirror? = Mirror(reflecting: object)
    while let current = mirror {
        if let value = current.descendant(name) { return unwrapped(value) }
        mirror = current.superclassMirror
    }
    return nil
}

private func unwrapped(_ value: Any) -> Any? {
    let mirror = Mirror(reflecting: value)
    return mirror.displayStyle == .optional ? mirror.children.first?.value : value
}
#endif
