import ConformanceVectors
import Foundation
import InterceptorKit

/// The cases of W3C's own test harness and unit tests, as data.
struct TraceContextVectors: Decodable {
    struct Case: Decodable {
        var test: String
        var index: Int?
        var incoming_headers: [[String]]
        var outgoing_calls: Int?
        var expect: Expectation

        var name: String { "\(test)[\(index ?? 0)]" }
        var headers: HTTP.Headers { HTTP.Headers(incoming_headers.map { ($0[0], $0[1]) }) }
    }

    struct Expectation: Decodable {
        var trace_id: String?
        var trace_id_not: [String]?
        var parent_id_not: [String]?
        var distinct_parent_ids: Int?
        var flag_bit_set: Int?
        /// Words: discarded, or not empty.
        var tracestate: String?
        var tracestate_contains: [String: String]?
        var tracestate_lacks: [String]?
        var tracestate_member_count: Int?
        var tracestate_member_one_of: [String]?
        var tracestate_ordered_members: [String]?
    }

    struct Units: Decodable {
        struct State: Decodable {
            var input: String
            var members: [[String]]?
        }

        struct Texts: Decodable {
            var valid: [String]
            var invalid: [String]
        }

        var traceparent_valid_v00: [String]
        var traceparent_future_version_parse_as_v00_prefix: [String]
        var traceparent_invalid: [String]
        var tracestate: [State]
        var tracestate_key: Texts
        var tracestate_value: Texts
    }

    var cases: [Case]
    var multi_call_cases: [Case]

    static func load() throws -> (harness: TraceContextVectors, units: Units) {
        let decoder = JSONDecoder()
        return (
            try decoder.decode(
                Self.self,
                from: try Vectors.data("trace-context/harness-cases.json")
            ),
            try decoder.decode(Units.self, from: try Vectors.data("trace-context/unit-cases.json"))
        )
    }
}

extension TraceContextVectors.Expectation {
    /// Whether what a client sent is as it should be, each time from a parent of its own.
    func allows(_ sent: [HTTP.Request]) -> Bool {
        let contexts = sent.compactMap { HTTP.TraceContext($0.headers) }
        let parents = Set(contexts.map(\.parentID))
        return !sent.isEmpty && parents.count == sent.count
            && parents.count >= distinct_parent_ids ?? 1
            && contexts.allSatisfy(allows)
            && sent.allSatisfy { allows(state: $0.headers["tracestate"]) }
    }

    private func allows(_ context: HTTP.TraceContext) -> Bool {
        let flags = UInt8(context.traceparent.suffix(2), radix: 16) ?? 0
        return trace_id.map { $0 == context.traceID } ?? true
            && !(trace_id_not ?? []).contains(context.traceID)
            && !(parent_id_not ?? []).contains(context.parentID)
            && flag_bit_set.map { flags >> UInt8($0) & 1 == 1 } ?? true
    }

    private func allows(state: String?) -> Bool {
        let members = state?.split(separator: ",").map(String.init) ?? []
        let keys = members.compactMap { $0.split(separator: "=").first.map(String.init) }
        // The words for what comes without a traceparent; the count beside them is of the harness's own
        // request.
        if let tracestate { return tracestate.hasPrefix("discarded") ? state == nil : state != "" }
        return (tracestate_contains ?? [:]).allSatisfy { members.contains("\($0.key)=\($0.value)") }
            && !(tracestate_lacks ?? []).contains(where: keys.contains)
            && tracestate_member_count.map { $0 == members.count } ?? true
            && tracestate_member_one_of.map { $0.count { members.contains($0) } == 1 } ?? true
            && tracestate_ordered_members.map { $0 == members } ?? true
    }
}
