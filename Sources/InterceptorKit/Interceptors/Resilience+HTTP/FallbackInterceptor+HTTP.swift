extension FallbackInterceptor where Input == HTTP.Request {
    /// Creates an interceptor with the standard classifier for HTTP.
    /// - Parameter answer: Makes the response.
    public init(answer: @escaping Answer) {
        self.init(classifier: .inherited, answer: answer)
    }
}
