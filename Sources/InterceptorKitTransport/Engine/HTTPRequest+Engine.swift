import Foundation
import InterceptorKit

extension HTTP.Request {
    /// Returns the request with the fields that Foundation would otherwise add from its surroundings: the process's
    /// name, the machine's language, a form's content type.
    func completedForURLSession() -> HTTP.Request {
        var request = self
        request.headers.setIfAbsent(name: "Accept", value: "*/*")
        // Any language, the meaning of an absent field (RFC 9110 section 12.5.4).
        request.headers.setIfAbsent(name: "Accept-Language", value: "*")
        request.headers.setIfAbsent(name: "User-Agent", value: "InterceptorKit")
        // Without a `Content-Type`, Foundation declares the body to be a form.
        return method == .post ? request.withContentType : request
    }

    /// Throws unless the request is valid and this engine can send it.
    func checkForURLSession() throws(HTTP.RequestError) {
        try validate()
        if method == .get, !body.isEmpty {
            throw HTTP.RequestError(
                .invalidBody,
                "URLSession does not send a GET request with a body. Send it with QUERY or POST, or "
                    + "over another transport."
            )
        }
    }
}
