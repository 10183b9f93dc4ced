import InterceptorKit
import InterceptorKitSigning
import Testing

/// A suite that looks at the values of components.
protocol ComponentSuite {}

extension ComponentSuite {
    func value(
        _ component: MessageComponent,
        _ headers: HTTP.Headers = [:],
        of url: HTTP.URL = "https://api.example.com/a%20b?c=d",
        target: String? = nil
    ) throws -> String {
        let message = SignableMessage.request(.get(url, headers: headers), target: target)
        return try message.value(of: component)
    }

    func error(_ body: () throws -> String) -> SigningError? {
        #expect(throws: SigningError.self) { try body() }
    }
}
