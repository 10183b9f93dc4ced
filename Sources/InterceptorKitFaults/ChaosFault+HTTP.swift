public import InterceptorKit

extension ChaosFault where Input == HTTP.Request {
    /// Returns a status without sending the request.
    /// - Parameters:
    ///   - status: The status.
    ///   - rate: The probability, from 0 to 1.
    ///   - headers: The response's header fields. Defaults to none.
    ///   - body: The response's body, which can be read again. Defaults to none.
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

    /// Sends the request, and ends the response's body like a lost connection: after a random number of bytes, at most
    /// those of the body.
    /// - Parameters:
    ///   - rate: The probability, from 0 to 1.
    ///   - limit: The largest number of bytes that arrive; not negative. Defaults to 1,024.
    public static func truncated(rate: Double, upTo limit: Int = 1024) -> ChaosFault {
        let injection: Injection = { request, call, send in
            // Draw before the send, so that the order of draws does not depend on when the send ends.
            let count = Int(call.runtime.randomFraction() * (Double(limit) + 1))
            var response = try await send(request)
            response.body = .oneShot(TruncatedStream(response.body, after: min(limit, count)))
            return response
        }
        return ChaosFault(
            name: "truncated",
            rate: rate,
            effect: .replace(injection),
            check: { check throws(SettingError) in try check.notNegative("upTo", limit) }
        )
    }

    /// Sends the request, and delivers the response's body in small chunks with pauses.
    /// - Parameters:
    ///   - rate: The probability, from 0 to 1.
    ///   - size: The largest size of a chunk, in bytes; positive. Defaults to 64.
    ///   - pause: The wait before each chunk, on the call's runtime; not negative. Defaults to 100 milliseconds.
    public static func slow(
        rate: Double,
        pieces size: Int = 64,
        every pause: Duration = .milliseconds(100)
    ) -> ChaosFault {
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
            check: { check throws(SettingError) in
                try check.positive("pieces", size)
                try check.notNegative("every", pause)
            }
        )
    }
}
