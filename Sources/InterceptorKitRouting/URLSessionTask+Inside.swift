#if canImport(FoundationNetworking)
import Dispatch
import Foundation
import FoundationNetworking
import InterceptorKit
import InterceptorKitTransport

/// What Foundation on Linux keeps of a task and tells a `URLProtocol` nothing of. It is looked up by
/// name, as it was in Swift 6.3; where it is no longer found, the response is the careful one.
///
/// To be asked on the task's own queue, which is what guards it.
extension URLSessionTask {
    /// Whether the task that waits for the body is given the last chunk alone, as completion handlers and async
    /// calls are, and not each, as a session delegate is.
    var keepsLastChunkAlone: Bool {
        guard delegate is any URLSessionDataDelegate,
            let session = stored("session", in: self),
            let registry = stored("taskRegistry", in: session),
            let all = stored("behaviours", in: registry) as? [Int: Any],
            let behaviour = all[taskIdentifier]
        else { return true }
        // `callDelegate` carries nothing, the others their handlers.
        return !Mirror(reflecting: behaviour).children.isEmpty
    }

    /// The body of an upload task; `nil` if it cannot be seen, for example because a delegate must be asked
    /// for it.
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

/// The bytes of a stream, as a request has them whose stream it is.
private func content(of stream: InputStream) -> HTTP.Body? {
    var request = URLRequest(url: URL(fileURLWithPath: "/"))
    request.httpBodyStream = stream
    return try? HTTP.Request(request).body
}

/// The value of a stored property, its own or inherited.
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
