#if !HTTPTypes
public import InterceptorKit

extension HTTP.Request {
    /// Creates a request from that of HTTPTypes, once the trait is switched on.
    @available(
        *,
        unavailable,
        message: "Switch on the trait HTTPTypes: .package(…, traits: [\"HTTPTypes\"])"
    )
    public init<Head>(_ request: Head, body: HTTP.Body = .empty) {
        self.init(.get, "", body: body)
    }
}
#endif
