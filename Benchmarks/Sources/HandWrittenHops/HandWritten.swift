public import InterceptorKit

/// What the chain is measured against: layers that call each other, as one writes them for one
/// fixed chain. Never inlined, since real ones have bodies too large for it.
///
/// Deep chains go through the eight layers again. Fewer would not do: the optimiser makes a loop of
/// a function that calls itself, and asking how many rounds are left costs as much as a layer.
public struct HandWritten: Sendable {
    let method: HTTP.Method

    /// - Parameter method: What the layers that change a request set.
    public init(method: HTTP.Method) { self.method = method }

    func answer(to input: Int) -> Int { input }

    @inline(never)
    func answer(to request: HTTP.Request) -> HTTP.Response {
        HTTP.Response(request.method == method ? 202 : 200)
    }
}
