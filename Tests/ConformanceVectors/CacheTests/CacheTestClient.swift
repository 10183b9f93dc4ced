import Foundation
import InterceptorKit
import InterceptorKitConcurrency
import Synchronization

/// Sends the requests of a case and says its outcome.
struct CacheTestClient {
    /// A response as the client saw it.
    struct Seen {
        let head: HTTP.Response
        let text: String
        let interim: [HTTP.Response]

        /// All values of a field as one; `nil` if there is none.
        func value(_ name: String) -> String? { head.headers[name] }
    }

    let pipeline: Pipeline<HTTP.Request>
    let runtime: Runtime
    let base: HTTP.URL
    /// Lets time pass.
    let pause: @Sendable (Duration) async throws -> Void

    /// Tries a case against its origin.
    func result(on test: CacheTest, _ origin: CacheTestOrigin) async throws
        -> CacheTest.TestResult
    {
        do {
            var seen: [Seen] = []
            for (index, step) in test.steps.enumerated() {
                let response = try await send(step, number: index + 1, after: seen.last)
                seen.append(response)
                try check(response, of: step, number: index + 1)
                if step.pauseAfter == true { try await pause(.seconds(3)) }
            }
            try check(origin.received, of: test.steps, seen)
            return .passed
        } catch let unmet as CacheTestUnmet {
            return unmet.isSetup ? .unprepared(unmet.message) : .failed(unmet.message)
        } catch let error as TransportError {
            return .threw("\(error)")
        }
    }

    private func send(
        _ step: CacheTest.Step,
        number: Int,
        after previous: Seen?
    ) async throws -> Seen {
        var path = "/test/\(CacheTestOrigin.text)"
        if let filename = step.filename { path += "/\(filename)" }
        if let query = step.queryArg { path += "?\(query)" }
        var request = HTTP.Request(step.method, HTTP.URL("\(base)\(raw: path)"))
        let moment = CacheTest.Moment(previous?.head.headers ?? [:])
        for field in step.requestHeaders ?? [] {
            let value = moment?.text(of: field.value, for: field.name, in: step)
            request.headers.append(name: field.name, value: value ?? field.value.text)
        }
        request.headers.append(name: "Req-Num", value: "\(number)")
        if let body = step.requestBody { request.body = .text(body) }

        let interim = Lock<[HTTP.Response]>([])
        var call = Call(runtime: runtime)
        call.onInformational = { response in interim.withLock { $0.append(response) } }
        let response = try await pipeline.run(request, call: call)
        let text = try await response.text()
        return Seen(head: response, text: text, interim: interim.withLock { $0 })
    }
}

/// What a case expects and did not find.
struct CacheTestUnmet: Error {
    /// Whether it only means that the case could not be tried.
    let isSetup: Bool
    let message: String
}

/// Demands something of a case.
func demand(
    _ isMet: Bool,
    asSetup isSetup: Bool,
    _ message: @autoclosure () -> String
) throws(CacheTestUnmet) {
    if !isMet { throw CacheTestUnmet(isSetup: isSetup, message: message()) }
}
