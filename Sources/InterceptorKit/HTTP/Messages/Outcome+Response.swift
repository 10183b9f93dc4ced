extension Outcome where Input == HTTP.Request {
    /// The response; `nil` if the attempt threw.
    public var response: HTTP.Response? { output }
}
