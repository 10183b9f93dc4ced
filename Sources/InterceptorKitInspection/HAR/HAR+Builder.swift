public import InterceptorKit

#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif

extension HAR {
    /// A builder of entries from requests, responses and the parts of their bodies that were read. It hides secrets.
    package struct Builder: Sendable {
        /// The redaction that decides which parts are shown.
        package var redaction: Redaction

        /// Creates a builder.
        /// - Parameter redaction: The redaction. Defaults to `Redaction.standard`.
        package init(redaction: Redaction = .standard) { self.redaction = redaction }

        /// The outcome of a request.
        package enum Outcome: Sendable {
            /// A response, the read part of its body, the error that broke off the body, if any, and its trailer
            /// fields, if any.
            case response(
                HTTP.Response,
                HTTP.CapturedBody,
                brokenOff: TransportError? = nil,
                trailers: HTTP.Headers? = nil
            )
            /// No response, because of this error.
            case failure(TransportError)
        }

        /// Returns an entry.
        /// - Parameters:
        ///   - request: The request as sent.
        ///   - body: The part of the request's body that was read.
        ///   - outcome: The request's outcome.
        ///   - date: The date when the request began.
        ///   - timings: The time of each part.
        ///   - credentialFields: Fields to hide even if the redaction shows them, such as `Call.credentialFields`.
        ///     Defaults to none.
        ///   - events: The events during the exchange, with the instant when it began. Defaults to none.
        package func entry(
            _ request: HTTP.Request,
            body: HTTP.CapturedBody,
            outcome: Outcome,
            startedAt date: Date,
            timings: Timings,
            hiding credentialFields: [String] = [],
            events: (list: [InterceptorKit.Event], since: Runtime.Instant) = (
                [], Runtime.Instant(offset: .zero)
            )
        ) -> Entry {
            Entry(
                startedDateTime: date.ISO8601Format(.init(includingFractionalSeconds: true)),
                request: self.request(request, body: body, hiding: credentialFields),
                response: response(outcome, hiding: credentialFields),
                timings: timings,
                events: events.list.map { event($0, since: events.since) }
            )
        }

        /// Returns an entry's request.
        /// - Parameters:
        ///   - request: The request as sent.
        ///   - body: The part of the request's body that was read.
        ///   - credentialFields: Fields to hide even if the redaction shows them. Defaults to none.
        package func request(
            _ request: HTTP.Request,
            body: HTTP.CapturedBody,
            hiding credentialFields: [String] = []
        ) -> Request {
            let url = shownURL(request.url)
            var shown = Request(
                method: request.method.rawValue,
                url: url,
                headers: fields(request.headers, hiding: credentialFields),
                queryString: parameters(of: url)
            )
            shown.bodySize = body.bytes?.count ?? request.body.length ?? -1
            guard body.bytes?.isEmpty != true else { return shown }
            var data = PostData(mimeType: mediaType(shown.headers))
            switch content(body, of: request.headers) {
            case .text(let text): data.text = text
            case .binary(let bytes):
                data.text = bytes.base64EncodedString()
                data.encoding = "base64"
            case .withheld(let reason): data.comment = reason
            }
            shown.postData = data
            return shown
        }

        private func response(_ outcome: Outcome, hiding names: [String]) -> Response {
            switch outcome {
            case .failure(let error):
                var shown = Response(status: 0)
                shown.failure = failure(error)
                return shown
            case .response(let response, let body, let error, let trailers):
                let headers = fields(response.headers, hiding: names)
                let location = headers.first { HTTP.FieldSyntax.isSameName($0.name, "Location") }?
                    .value
                var shown = Response(
                    status: response.status.code,
                    statusText: response.status.reasonPhrase ?? "",
                    headers: headers,
                    content: responseContent(response, body, mediaType(headers)),
                    redirectURL: location ?? ""
                )
                if let trailers, !trailers.isEmpty {
                    shown.trailers = fields(trailers, hiding: names)
                }
                shown.failure = error.map(failure)
                return shown
            }
        }

        private func responseContent(
            _ response: HTTP.Response,
            _ body: HTTP.CapturedBody,
            _ mediaType: String
        ) -> Content {
            var shown = Content(
                size: body.bytes?.count ?? response.body.length ?? -1,
                mimeType: mediaType
            )
            switch content(body, of: response.headers) {
            case .text(let text): shown.text = text
            case .binary(let bytes):
                shown.text = bytes.base64EncodedString()
                shown.encoding = "base64"
            case .withheld(let reason): shown.comment = reason
            }
            return shown
        }

        // Uses the shown fields, so that a hidden value stays hidden.
        private func mediaType(_ fields: [Field]) -> String {
            fields.first { HTTP.FieldSyntax.isSameName($0.name, "Content-Type") }?.value
                ?? "application/octet-stream"
        }

        private func content(
            _ body: HTTP.CapturedBody,
            of headers: HTTP.Headers
        ) -> Redaction.ShownBody {
            switch body {
            case .bytes(let bytes): redaction.body(bytes, of: headers)
            case .unread(let reason):
                .withheld("The content was not read: \(redaction.text(reason)).")
            }
        }

        private func failure(_ error: TransportError) -> Failure {
            var shown = Failure(error)
            shown.message = redaction.text(shown.message)
            return shown
        }

        // The fragment is never sent (RFC 9110 section 7.1).
        private func shownURL(_ url: HTTP.URL) -> String {
            let whole = redaction.url(url.text)
            // A password may contain a `#`.
            guard let origin = url.origin, !whole.holds("\(Redaction.placeholder)@") else {
                return String(whole.beginning(before: "#"))
            }
            return redaction.url("\(origin)\(url.requestTarget)")
        }

        private func parameters(of url: String) -> [Field] {
            guard let mark = url.unicodeScalars.firstIndex(of: "?") else { return [] }
            return url[url.unicodeScalars.index(after: mark)...].split(at: "&").map { pair in
                let sides = pair.split(
                    at: "=",
                    maxSplits: 1,
                    omittingEmptySubsequences: false
                )
                return Field(
                    name: PercentEncoding.decode(sides[0]),
                    value: sides.count > 1 ? PercentEncoding.decode(sides[1]) : ""
                )
            }
        }

        private func fields(_ headers: HTTP.Headers, hiding names: [String]) -> [Field] {
            redaction.headers(headers, hiding: names).map { Field(name: $0.name, value: $0.value) }
        }

        // Without the request's and response's own facts, which the entry shows by this redaction and not the call's.
        private func event(
            _ event: InterceptorKit.Event,
            since start: Runtime.Instant
        ) -> HAR.Event {
            HAR.Event(
                name: event.name.description,
                source: event.source,
                attempt: event.attempt,
                offset: Timings(wait: start.duration(to: event.instant), receive: .zero).wait,
                attributes: event.attributes.reduce(into: [:]) { shown, fact in
                    guard !fact.key.begins(with: "http."), fact.key != "url.full",
                        fact.key != "input"
                    else { return }
                    shown[fact.key] = redaction.text(fact.value.description)
                }
            )
        }
    }
}

extension HAR.Failure {
    /// Creates a failure from a transport's error.
    public init(_ error: TransportError) {
        self.init(
            code: error.code.description,
            message: error.message,
            isUnsent: error.isUnsent
        )
    }
}
