extension RetryPolicy where Input == HTTP.Request {
    /// Returns this policy with a field in every request that is sent again, which counts the earlier sends:
    /// 1 in the first retry.
    /// - Parameter name: The field's name. Defaults to `Retry-Attempt`.
    public func markingRetries(with name: String = "Retry-Attempt") -> RetryPolicy {
        var policy = self
        policy.prepare = { [prepare] request, call in
            prepare?(&request, call)
            request.headers[name] = "\(call.attempt - 1)"
        }
        return policy
    }
}
