#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension HTTP.Body {
    /// The body of a response, reporting its arrival: an activity that ends once, whether it is read to
    /// its end, breaks off, is cancelled or let go of.
    func observed(on call: Call) -> HTTP.Body {
        guard case .oneShot(let body) = storage else { return self }
        return .oneShot(length: body.length, ObservedStream(BodySource(body), length, call))
    }
}

private final class ObservedStream: BodyStream {
    private static let source = "transport"

    private struct State {
        var bytes = 0
        var hasEnded = false
    }

    private let base: BodySource
    private let call: Call
    private let activity: Event.Activity
    private let pace: ReportingPace
    private let state = Lock(State())

    init(_ base: BodySource, _ length: Int?, _ call: Call) {
        self.base = base
        pace = ReportingPace(total: length)
        (activity, self.call) = call.begin(
            .responseBody,
            "response body",
            from: Self.source,
            length.map { ["total": .number($0)] } ?? [:]
        )
    }

    deinit { end(.abandoned) }

    var trailers: HTTP.Headers? { base.trailers }

    nonisolated(nonsending) func next() async throws -> Data? {
        do {
            guard let chunk = try await base.next() else {
                end(.completed)
                return nil
            }
            let bytes = state.withLock { state in
                state.bytes += chunk.count
                return state.bytes
            }
            if let report = pace.report(bytes, at: call.runtime.now) {
                call.emit(.bodyReceived, from: Self.source, report)
            }
            return chunk
        } catch {
            end(Event.Ending(of: error), call.attributes(of: error))
            throw error
        }
    }

    func cancel() {
        end(.abandoned)
        base.cancel()
    }

    private func end(_ ending: Event.Ending, _ attributes: [String: Event.Value] = [:]) {
        let bytes: Int? = state.withLock { state in
            if state.hasEnded { return nil }
            state.hasEnded = true
            return state.bytes
        }
        guard let bytes else { return }
        call.end(
            activity,
            ending,
            from: Self.source,
            attributes.merging(pace.attributes(bytes)) { $1 }
        )
    }
}
