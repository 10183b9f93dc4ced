import Foundation
import InterceptorKit
import InterceptorKitConcurrency
import Synchronization

/// The origin of one case: answers as the case says, and notes what it was asked.
final class CacheTestOrigin: Sendable {
    /// A request that arrived.
    struct Received {
        /// Its number in the case, as the client counts.
        let number: Int
        let method: HTTP.Method
        let headers: HTTP.Headers
        /// The fields of the response that the client has to see.
        let fields: [(name: String, value: String)]
    }

    struct Answer {
        let status: HTTP.Status
        let headers: HTTP.Headers
        let body: Data
        /// What is sent before it.
        let interim: [CacheTest.Interim]
        /// Whether the connection ends instead of it.
        let isLost: Bool
    }

    private struct State {
        var received: [Received] = []
        /// What was answered to each request of the case the first time.
        var fields: [Int: [(name: String, value: String)]] = [:]
    }

    /// What it says where a case says nothing: 36 characters, on which one case counts.
    static let text = "0a5c7e57-ca5e-4b0d-9fc1-c0ffee600613"

    private let steps: [CacheTest.Step]
    private let state = Lock(State())

    init(_ test: CacheTest) { steps = test.steps }

    var received: [Received] { state.withLock { $0.received } }

    /// How long the origin takes for a request.
    func pause(before headers: HTTP.Headers) -> Duration {
        .seconds(step(headers)?.step.responsePause ?? 0)
    }

    func answer(
        to method: HTTP.Method,
        _ target: String,
        _ headers: HTTP.Headers,
        now: Date
    ) -> Answer {
        guard let (index, step) = step(headers) else {
            return Answer(status: 409, headers: [:], body: Data(), interim: [], isLost: false)
        }
        return state.withLock { state in
            let status = status(of: index, asked: headers, known: state.fields[index - 1])
            let moment = CacheTest.Moment(now: now, target: target)
            let fields =
                state.fields[index]
                ?? (step.responseHeaders ?? []).map { field in
                    (field.name, moment.text(of: field.value, for: field.name, in: step))
                }
            state.fields[index] = fields

            var answered = HTTP.Headers()
            answered.append(name: "Server-Base-Url", value: target)
            answered.append(name: "Server-Request-Count", value: "\(state.received.count + 1)")
            answered.append(name: "Client-Request-Count", value: "\(index + 1)")
            answered.append(name: "Server-Now", value: "\(Int(now.timeIntervalSince1970 * 1000))")
            for (name, value) in fields { answered.append(name: name, value: value) }
            answered.setIfAbsent(name: "Content-Type", value: "text/plain")
            answered.setIfAbsent(name: "Date", value: HTTP.text(for: now))

            let seen = (step.responseHeaders ?? []).filter(\.isChecked).map { field in
                (field.name, answered.values(field.name).joined(separator: ", "))
            }
            state.received.append(
                Received(number: index + 1, method: method, headers: headers, fields: seen)
            )
            let numbers = state.received.map { "\($0.number)" }.joined(separator: " ")
            answered.append(name: "Request-Numbers", value: numbers)

            var body = Data()
            if method != .head && status != 204 && status != 304 {
                let text = step.responseBody ?? ""
                body = Data((text.isEmpty ? Self.text : text).utf8)
                // No more than is announced.
                if let length = answered["Content-Length"].flatMap(Int.init) {
                    body = body.prefix(length)
                }
                if !answered.contains("Transfer-Encoding") {
                    answered.setIfAbsent(name: "Content-Length", value: "\(body.count)")
                }
            }
            return Answer(
                status: status,
                headers: answered,
                body: body,
                interim: step.interimResponses ?? [],
                isLost: step.disconnect == true
            )
        }
    }

    private func step(_ headers: HTTP.Headers) -> (index: Int, step: CacheTest.Step)? {
        let number = headers["Req-Num"].flatMap(Int.init) ?? received.count + 1
        guard steps.indices.contains(number - 1) else { return nil }
        return (number - 1, steps[number - 1])
    }

    /// 304 only for a request that names what was said before, and 999 for one that should have.
    private func status(
        of index: Int,
        asked headers: HTTP.Headers,
        known fields: [(name: String, value: String)]?
    ) -> HTTP.Status {
        guard steps[index].expectedType?.isValidated == true, index > 0 else {
            return HTTP.Status(steps[index].responseStatus?.code ?? 200)
        }
        // What would have been said, where a cache answered.
        let before =
            fields ?? (steps[index - 1].responseHeaders ?? []).map { ($0.name, $0.value.text) }
        func names(_ condition: String, _ validator: String) -> Bool {
            let known = before.last { $0.name.lowercased() == validator }?.value
            return known != nil && headers[condition] == known
        }
        return names("If-Modified-Since", "last-modified") || names("If-None-Match", "etag")
            ? 304 : 999
    }
}
