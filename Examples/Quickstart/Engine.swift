import InterceptorKit
import InterceptorKitCurl
import InterceptorKitTransport

#if AsyncHTTPClient
import InterceptorKitAsyncHTTPClient
#endif

/// What carries the requests; nothing else of the tour knows which one it is.
enum Engine: String, CaseIterable {
    case urlsession, curl, ahc

    func transport() throws -> any Transport<HTTP.Request> {
        switch self {
        case .urlsession:
            return URLSessionTransport()
        case .curl:
            do {
                return try CurlTransport()
            } catch {
                throw EngineUnavailable("\(error)")
            }
        case .ahc:
            #if AsyncHTTPClient
            return AsyncHTTPClientTransport()
            #else
            throw EngineUnavailable(
                "The engine ahc needs the trait AsyncHTTPClient: "
                    + "swift run --traits AsyncHTTPClient Quickstart --engine ahc"
            )
            #endif
        }
    }
}

/// An engine that this build or machine does not have.
struct EngineUnavailable: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}
