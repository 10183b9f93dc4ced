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

    /// The context for spans of this call, in place of the caller's task's; below an interceptor that records
    /// a span, that span's context. `nil` by default.
    public var serviceContext: ServiceContext? {
        get { self[Context.self] }
        set { self[Context.self] = newValue }
    }

    /// The path of the request's URL with names in place of variable parts, as in `/orders/{id}`, for the
    /// names of spans. `nil`, the default, uses only the method, because paths as sent would make as many
    /// names as there are orders.
    public var urlTemplate: String? {
        get { self[Template.self] }
        set { self[Template.self] = newValue }
    }

    var sendCount: SendCount? {
        get { self[Sends.self] }
        set { self[Sends.self] = newValue }
    }
}

/// Counts the sends of a call, which may be made side by side.
final class SendCount: Sendable {
    private let count = Lock(0)

    /// How many there were before.
    func next() -> Int {
        count.withLock { count in
            defer { count += 1 }
            return count
        }
    }
}
#endif
