import InterceptorKit

/// The derived components of a request (RFC 9421 section 2.2).
struct RequestLine {
    private let url: CanonicalTarget
    private let authority: String
    private let target: String?
    // Parsed once, when a component first needs a parameter.
    private var parameters: [String: (value: String, count: Int)]?

    /// - Parameters:
    ///   - target: The request target; `nil` for the usual one.
    ///   - component: The component to name in errors.
    init(
        _ method: HTTP.Method,
        _ url: HTTP.URL,
        _ headers: HTTP.Headers,
        target: String?,
        for component: MessageComponent
    ) throws(SigningError) {
        do {
            self.url = try CanonicalTarget(url)
        } catch {
            throw .missing(component, "The request's URL has no scheme and host.")
        }
        authority = headers["Host"].map(self.url.authority(named:)) ?? self.url.authority
        let isConnect = method.rawValue == "CONNECT"
        self.target = target ?? (isConnect ? "\(self.url.host):\(self.url.port)" : nil)
    }

    mutating func write(
        _ component: MessageComponent,
        to text: inout CanonicalWriter
    ) throws(SigningError) {
        switch component.name {
        case "@authority": text.append(authority)
        case "@path": writePath(to: &text)
        case "@query":
            text.append("?" as Unicode.Scalar)
            text.append(contentsOf: url.query)
        case "@scheme": text.append(url.scheme)
        case "@target-uri":
            text.append(url.scheme)
            text.append("://")
            text.append(authority)
            writePath(to: &text)
            writeQuery(to: &text)
        case "@request-target":
            guard let target else {
                writePath(to: &text)
                return writeQuery(to: &text)
            }
            text.append(target)
        case "@query-param": text.append(try parameter(component))
        default:
            throw .invalidComponent(component.description, "A request does not have it.")
        }
    }

    private func writePath(to text: inout CanonicalWriter) {
        if url.path.isEmpty { text.append("/" as Unicode.Scalar) }
        text.append(contentsOf: url.path)
    }

    private func writeQuery(to text: inout CanonicalWriter) {
        guard url.hasQuery else { return }
        text.append("?" as Unicode.Scalar)
        text.append(contentsOf: url.query)
    }

    private mutating func parameter(_ component: MessageComponent) throws(SigningError) -> String {
        let name = component.parameters["name"]?.string ?? ""
        let known = parameters ?? Self.parameters(of: url)
        parameters = known
        guard let found = known[name] else { throw .missing(component) }
        guard found.count == 1 else {
            throw .invalidComponent(
                component.description,
                "The query has it more than once; cover @query instead."
            )
        }
        return found.value
    }

    private static func parameters(
        of url: CanonicalTarget
    ) -> [String: (value: String, count: Int)] {
        var found: [String: (value: String, count: Int)] = [:]
        for parameter in FormEncoding.parameters(of: url.query) {
            found[parameter.name, default: (parameter.value, 0)].count += 1
        }
        return found
    }
}
