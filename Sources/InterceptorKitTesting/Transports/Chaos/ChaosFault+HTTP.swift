public import InterceptorKit

extension ChaosFault where Input == HTTP.Request {
    /// Sends nothing and answers with a status.
    /// - Parameters:
    ///   - status: The status.
    ///   - rate: How often, from 0 to 1.
    ///   - headers: The response's fields. Defaults to none.
    ///   - body: The response's content; one that can be read again. Defaults to none.
    public static func status(
        _ status: HTTP.Status,
        rate: Double,
        headers: HTTP.Headers = [:],
        body: HTTP.Body = .empty
    ) -> ChaosFault {
        ChaosFault("status", rate: rate) { request, _, _ in
            HTTP.Response(status, headers: headers, body: body, request: request)
        }
    }

    /// Sends, and lets the response's body break off as a lost connection does: after a number of bytes
    /// drawn again each time, at the latest at the body's end.
    /// - Parameters:
    ///   - rate: How often, from 0 to 1.
    ///   - limit: The most bytes that arrive; not negative. Defaults to 1,024.
    public static func truncated(rate: Double, upTo limit: Int = 1024) -> ChaosFault {
        let problem =
            limit < 0 ? "lets \(limit) bytes arrive; a size cannot be negative" : nil
        let injection: Injection = { request, call, send in
            // Drawn before the send, so that the draws' order does not depend on when it ends.
            let count = Int(call.runtime.randomFraction() * (Double(limit) + 1))
            var response = try await send(request)
            response.body = .oneShot(TruncatedStream(response.body, after: min(limit, count)))
            return response
        }
        return ChaosFault(
            name: "truncated",
            rate: rate,
            effect: .replace(injection),
            problem: problem
        )
    }

    /// Sends, and lets the response's body arrive in small pieces with pauses.
    /// - Parameters:
    ///   - rate: How often, from 0 to 1.
    ///   - size: The most bytes of a piece; positive. Defaults to 64.
    ///   - pause: The wait before each piece, on the call's runtime; not negative. Defaults to 100
    ///     milliseconds.
    public static func slow(
        rate: Double,
        pieces size: Int = 64,
        every pause: Duration = .milliseconds(100)
    ) -> ChaosFault {
        let problem: String? =
            if size < 1 {
                "lets pieces of \(size) bytes arrive; a piece has at least one"
            } else if pause < .zero {
                "pauses \(pause.formattedSeconds); a pause cannot be negative"
            } else {
                nil
            }
        let injection: Injection = { request, call, send in
            var response = try await send(request)
            response.body = .oneShot(
                length: response.body.length,
                SlowStream(response.body, pieces: size, every: pause, on: call.runtime)
            )
            return response
        }
        return ChaosFault(
            name: "slow",
            rate: rate,
            effect: .replace(injection),
            problem: problem
        )
    }
}
