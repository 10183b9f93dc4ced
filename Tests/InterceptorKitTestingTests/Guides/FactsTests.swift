import Expectations
import Foundation
import InterceptorKit
import Testing

/// What the articles say of defaults and messages, made from the code.
@Suite("The documentation")
struct FactsTests {
    private static let retry = RetryPolicy<HTTP.Request>.standard
    private static let standard = StandardSettings<HTTP.Request>()
    private static let breaker = CircuitBreakerPolicy()

    private static let facts: [(article: String, says: String)] = [
        ("RetryAndTokens", "At most \(word(retry.maxAttempts)) sends, including the first."),
        ("RetryAndTokens", "between 0 and \(text(retry.backoff.base)), after the second"),
        ("RetryAndTokens", "doubles up to \(text(retry.backoff.cap))."),
        ("RetryAndTokens", "it is between 0 and \(text(retry.overloadBackoff.base)),"),
        ("RetryAndTokens", "A `Retry-After` beyond \(text(retry.maxRetryAfter)) ends the retries"),
        ("RetryAndHedge", "With \(word(retry.maxAttempts)) attempts, a service that is down"),
        ("FromAlamofire", "it counts sends, and the default is \(retry.maxAttempts)"),
        ("FromAlamofire", "random, 0 to \(text(retry.backoff.base));"),
        ("FromAlamofire", "honoured up to \(text(retry.maxRetryAfter))."),
        ("OrderOfTheChain", "the standard policy has \(word(retry.maxAttempts))."),
        ("StandardPipeline", "| retry or hedge | \(retry.maxAttempts) sends,"),
        ("StandardPipeline", "| total time limit | \(text(standard.totalTimeout)) |"),
        ("StandardPipeline", "| attempt time limit | \(text(standard.attemptTimeout)) |"),
        ("StandardPipeline", "| circuit breaker | \(standard.breaker == nil ? "none" : "one") |"),
        ("StandardPipeline", "| rate limit | \(standard.rateLimit == nil ? "none" : "one") |"),
        ("StandardPipeline", "| redirects | \(RedirectPolicy().limit) |"),
        ("CircuitBreakerAndLimits", "/window`` | \(text(breaker.window)) |"),
        ("CircuitBreakerAndLimits", "/maxBreakDuration`` | \(text(breaker.maxBreakDuration)) |"),
        (
            "ChooseResilience",
            "needs \(breaker.minimumCalls) calls within \(text(breaker.window)) to judge"
        ),
        (
            "TimeoutsFallbackCoalescing",
            TimeoutError(
                .total,
                limit: standard.totalTimeout ?? .zero,
                authority: "https://api.example.com",
                limitSource: "TimeoutInterceptor(total:)"
            )
            .message
            .replacing("and was ended. Give calls more time, or fewer attempts.", with: "…")
        ),
    ]

    @Test("says what the code does", arguments: facts)
    func fact(article: String, says: String) throws {
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appending(
            path: "../../../Sources/InterceptorKit/InterceptorKit.docc/\(article).md"
        )

        let text = try String(contentsOf: file, encoding: .utf8)

        // A sentence goes on in the next line.
        expectTrue(text.split(separator: "\n").joined(separator: " ").contains(says), "\(article)")
    }

    private static func word(_ number: Int) -> String {
        ["no", "one", "two", "three", "four", "five", "six"][number]
    }

    private static func text(_ duration: Duration?) -> String {
        guard let duration else { return "none" }
        return duration < .seconds(1)
            ? "\(duration / .milliseconds(1))".prefix { $0 != "." } + " ms"
            : "\(duration.components.seconds) s"
    }
}
