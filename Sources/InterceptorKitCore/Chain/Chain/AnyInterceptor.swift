/// An interceptor of any type, or one made from a closure.
///
/// ```swift
/// AnyInterceptor("stamp") { chain in
///     try await chain.proceed { $0.headers["X-Client"] = "tool" }
/// }
/// ```
///
/// A ``Pipeline`` uses the wrapped interceptor directly, so erasure costs nothing there.
public struct AnyInterceptor<Input: Interceptable>: Interceptor {
    /// A closure that handles one pass.
    public typealias Body =
        nonisolated(nonsending) @Sendable (
            _ chain: InterceptorChain<Input>
        ) async throws -> Input.Output

    private enum Content: Sendable {
        case erased(any Interceptor<Input>)
        case closure(name: String, placement: Placement?, Body)
    }

    private let content: Content

    /// Erases an interceptor's type.
    public init(_ interceptor: any Interceptor<Input>) {
        content = .erased(interceptor)
    }

    /// Makes an interceptor from a closure.
    /// - Parameters:
    ///   - name: The name shown in descriptions and events. Defaults to `AnyInterceptor`.
    ///   - placement: The stage of the standard order. Defaults to none, which allows any place.
    ///   - body: Handles one pass.
    public init(
        _ name: String = "AnyInterceptor",
        placement: Placement? = nil,
        _ body: @escaping Body
    ) {
        content = .closure(name: name, placement: placement, body)
    }

    public nonisolated(nonsending) func intercept(
        chain: InterceptorChain<Input>
    ) async throws -> Input.Output {
        switch content {
        case .erased(let interceptor): try await interceptor.intercept(chain: chain)
        case .closure(_, _, let body): try await body(chain)
        }
    }

    public var placement: Placement? {
        switch content {
        case .erased(let interceptor): interceptor.placement
        case .closure(_, let placement, _): placement
        }
    }

    public var keepsDeadline: Bool {
        if case .erased(let interceptor) = content { interceptor.keepsDeadline } else { false }
    }

    public var group: InterceptorGroup<Input>? {
        switch content {
        case .erased(let interceptor): interceptor.group ?? InterceptorGroup([interceptor])
        case .closure: nil
        }
    }

    public func validate() throws {
        guard case .erased(let interceptor) = content else { return }
        try interceptor.validate()
    }
}

extension AnyInterceptor: CustomStringConvertible {
    public var description: String {
        switch content {
        case .erased(let interceptor): displayName(of: interceptor)
        case .closure(let name, _, _): name
        }
    }
}
