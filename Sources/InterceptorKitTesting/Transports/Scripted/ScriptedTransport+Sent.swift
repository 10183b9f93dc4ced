public import InterceptorKit

extension ScriptedTransport {
    /// An input that was sent, with its call.
    public struct Sent: Sendable {
        /// The input.
        public let input: Input
        /// The call of the input.
        public let call: Call
        /// The time of the send, on the call's runtime.
        public let instant: Runtime.Instant

        var content: HTTP.CapturedBody?

        init(input: Input, call: Call, instant: Runtime.Instant) {
            self.input = input
            self.call = call
            self.instant = instant
        }

        /// The number of the call's attempt, from 1.
        public var attempt: Int { call.attempt }
    }
}

extension ScriptedTransport.Sent where Input == HTTP.Request {
    /// The body, as far as it could be read without using it up.
    public var body: HTTP.CapturedBody { content ?? .unread("\(input.body)") }

    /// The method and the URL's path and query, as in `POST /orders?page=2`.
    public var line: String { "\(input.method) \(input.url.requestTarget)" }

    /// The header fields in order as sent, each as `Name: value`.
    public var fields: [String] { input.headers.map { "\($0.name): \($0.value)" } }
}
