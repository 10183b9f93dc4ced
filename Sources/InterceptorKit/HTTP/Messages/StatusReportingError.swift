/// An error that reports the status of the response to a request.
///
/// A failure pattern for a status matches all such errors: a 404 matches whichever type read the response, with problem
/// details, a business code or neither. The status of another request, such as one for a token, is not reported.
public protocol StatusReportingError: Error {
    /// The response's status; `nil` if the failure is not about a response.
    var responseStatus: HTTP.Status? { get }

    /// The wait that the server asked for; `nil` if it asked for none.
    var retryAfter: Duration? { get }
}
