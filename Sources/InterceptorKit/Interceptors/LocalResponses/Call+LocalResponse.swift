private enum LocalResponse: CallKey {
    static let defaultValue: HTTP.Response? = nil
}

extension Call {
    /// The response that a ``LocalResponseInterceptor`` gives to this call's requests. Defaults to `nil`.
    ///
    /// ```swift
    /// let response = try await api.send(.get("/orders/7")) { call in
    ///     call.localResponse = .file("fixtures/order.json")
    /// }
    /// ```
    ///
    /// It has no effect in a chain without that interceptor. Each attempt and each redirect gets it again, so
    /// its body should be one that can be read again: bytes or a file.
    public var localResponse: HTTP.Response? {
        get { self[LocalResponse.self] }
        set { self[LocalResponse.self] = newValue }
    }
}

extension HTTP.Response {
    /// A response whose body is a file.
    /// - Parameters:
    ///   - path: The file's path. Its extension decides the `Content-Type`, unless `headers` have one.
    ///   - status: Defaults to 200.
    ///   - headers: Defaults to none.
    public static func file(
        _ path: String,
        status: HTTP.Status = 200,
        headers: HTTP.Headers = [:]
    ) -> HTTP.Response {
        var response = HTTP.Response(status, headers: headers, body: .file(path))
        if let mediaType = HTTP.mediaType(ofFile: path) {
            response.headers.setIfAbsent(name: "Content-Type", value: mediaType)
        }
        return response
    }
}
