import Foundation
import InterceptorKit

extension HTTP.Request {
    /// The request with the fields that Foundation would otherwise add by itself, and from its
    /// surroundings: the process's name, the machine's language, a form's content type.
    func completedForURLSession() -> HTTP.Request {
        var request = self
        request.headers.setIfAbsent(name: "Accept", value: "*/*")
        // Any language, which is what no field means (RFC 9110 section 12.5.4).
        request.headers.setIfAbsent(name: "Accept-Language", value: "*")
        request.headers.setIfAbsent(name: "User-Agent", value: "InterceptorKit")
        // Foundation would claim a form.
        return method == .post ? request.withContentType : request
    }

    /// Throws unless the request is valid and one that this engine can send.
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
