/// The composition of a pipeline as a value, to assert its interceptors and their order in a test.
///
/// ```swift
/// let api = try HTTP.Client(transport: transport) {
///     RetryInterceptor(policy: .standard)
///     CompositeInterceptor("signed", when: { request, _ in request.method == .post }) {
///         SignInterceptor(.hmacSHA256(keyID: "app-1", secret: secret))
///     }
/// }
///
/// #expect(api.pipeline.descriptor.names == ["RetryInterceptor", "SignInterceptor"])
/// #expect(
///     api.pipeline.descriptor.elements == [
///         .interceptor("RetryInterceptor", .retry),
///         .group("signed", isConditional: true, [.interceptor("SignInterceptor", .signing)]),
///     ]
/// )
/// ```
///
/// A failed assertion prints a drawing of both chains.
public struct PipelineDescriptor: Hashable, Sendable {
    /// An interceptor, or a container with its members.
    public indirect enum Element: Hashable, Sendable {
        /// One interceptor: its own name or its type's name, and its stage of the standard order.
        case interceptor(String, Placement?)
        /// A named or conditional container. Unnamed containers without a condition are flattened.
        case group(String?, isConditional: Bool, [Element])
    }

    /// The stages, outermost first.
    public var elements: [Element]
    /// The name of the transport.
    public var transport: String

    /// Creates a descriptor, to compare with a pipeline's.
    public init(_ elements: [Element], transport: String) {
        self.elements = elements
        self.transport = transport
    }

    /// The interceptors' names in the order in which they run, outermost first, including all members of containers.
    public var names: [String] { elements.flatMap { $0.names } }
}

extension PipelineDescriptor: CustomStringConvertible {
    /// A drawing of the chain: outermost first, containers indented, the transport last.
    public var description: String {
        var lines = ["input ↓                                   ↑ output"]
        lines += elements.flatMap { $0.lines(depth: 1) }
        lines.append("  ═ \(transport)")
        return lines.joined(separator: "\n")
    }
}

extension PipelineDescriptor.Element: CustomStringConvertible {
    /// The element's lines in the drawing of its chain; each member of a container has a line.
    public var description: String { lines(depth: 0).joined(separator: "\n") }

    fileprivate var names: [String] {
        switch self {
        case .interceptor(let name, _): [name]
        case .group(_, _, let members): members.flatMap { $0.names }
        }
    }

    fileprivate func lines(depth: Int) -> [String] {
        let indent = String(repeating: "  ", count: depth)
        switch self {
        case .interceptor(let name, let placement):
            return ["\(indent)│ \(name)\(placement.map { " · \($0)" } ?? "")"]
        case .group(let name, let isConditional, let members):
            let first = "\(indent)├ \(name ?? "group")\(isConditional ? " (conditional)" : "")"
            return [first] + members.flatMap { $0.lines(depth: depth + 1) }
        }
    }
}
