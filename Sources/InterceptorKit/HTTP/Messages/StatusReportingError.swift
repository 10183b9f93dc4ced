/// An error that says with which status a request was answered.
///
/// A failure pattern for a status matches each of them: a 404 is a 404 whatever read the response, and whether it came
/// with problem details, a business code or neither. The status of another request, such as one for a token, is not
/// reported.
public protocol StatusReportingError: Error {
    /// The response's status; `nil` if this failure was not about a response.
    var responseStatus: HTTP.Status? { get }

    /// The time that the server asked to wait; `nil` if it asked for none.
    var retryAfter: Duration? { get }
}
