#if Tracing
public import InterceptorKit
import InterceptorKitConcurrency
import Synchronization
public import Tracing

extension Call {
    private enum Context: CallKey {
        static let defaultValue: ServiceContext? = nil
    }

    private enum Template: CallKey {
        static let defaultValue: String? = nil
    }

    private enum Sends: CallKey {
        static let defaultValue: SendCount? = nil
    }

    /// The context for spans of this call, in place of the caller's task's; below an interceptor that records a span,
    /// the context of that span. `nil` by default.
    public var serviceContext: ServiceContext? {
        get { self[Context.self] }
        set { self[Context.self] = newValue }
    }

    /// The path of the request's URL with names in place of variable parts, such as `/orders/{id}`, for span names.
    /// With `nil`, the default, only the method is used, because actual paths would make an unlimited number of names.
    public var urlTemplate: String? {
        get { self[Template.self] }
        set { self[Template.self] = newValue }
    }

    var sendCount: SendCount? {
        get { self[Sends.self] }
        set { self[Sends.self] = newValue }
    }
}

/// The number of sends of a call, which may be concurrent.
final class SendCount: Sendable {
    private let count = Lock(0)

    /// Counts a send, and returns the number of sends before it.
    func next() -> Int {
        count.withLock { count in
            defer { count += 1 }
            return count
        }
    }
}
#endif
