extension HTTP.Body {
    /// Returns a body with parameters as an HTML form sends them: `application/x-www-form-urlencoded`, in
    /// UTF-8.
    /// - Parameter parameters: Names and values, in the order in which they are sent.
    public static func form(_ parameters: HTTP.Parameters) -> HTTP.Body {
        // A blank as %20 and not +, which every reader of forms takes too.
        let pairs = parameters.map {
            "\(PercentEncoding.encode($0.name))=\(PercentEncoding.encode($0.value))"
        }
        return .text(pairs.joined(separator: "&"), as: .form)
    }
}
