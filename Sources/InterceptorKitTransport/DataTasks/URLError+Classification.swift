public import Foundation
public import InterceptorKit

/// For code that throws a `URLError` itself, such as a transport of your own.
extension URLError: ClassifiedError {
    /// The classification of the `TransportError` that ``URLSessionTransport`` makes of this error; permanent for
    /// `cancelled`. It is never said to be unsent.
    public var classification: Classification {
        if code == .cancelled { return .permanent("cancelled") }
        return TransportError(ofDataTask: self, host: "", silence: 0).classification
    }
}
