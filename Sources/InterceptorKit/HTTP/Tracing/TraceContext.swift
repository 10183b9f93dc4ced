extension HTTP {
    /// The place of a request in a distributed trace: the values of the fields `traceparent` and `tracestate`
    /// (W3C Trace Context, level 2).
    ///
    /// ```swift
    /// // In a server, of a request that came in:
    /// let context = HTTP.TraceContext(incoming.headers)
    /// // and for what is sent on its behalf:
    /// let response = try await api.send(.get("/stock")) { $0.traceContext = context }
    /// ```
    public struct TraceContext: Hashable, Sendable {
        // A trace's identifier in two halves.
        let trace: [UInt64]
        let parent: UInt64
        let flags: UInt8
        let state: [StateMember]

        init(trace: [UInt64], parent: UInt64, flags: UInt8, state: [StateMember] = []) {
            self.trace = trace
            self.parent = parent
            // The others are reserved, and a sender that does not know them sets them to zero (section
            // 3.2.2.5.3).
            self.flags = flags & 0b11
            self.state = state
        }

        /// The identifier of the trace: 32 hexadecimal digits in lower case.
        public var traceID: String { trace.map(hexadecimal).joined() }

        /// The identifier of the sender's span, the parent of the receiver's work: 16 hexadecimal digits in
        /// lower case.
        public var parentID: String { hexadecimal(parent) }

        /// Whether the sender may have recorded the trace.
        public var isSampled: Bool { flags & 0b01 != 0 }

        /// The value of the field `traceparent`, in version 00.
        public var traceparent: String {
            "00-\(traceID)-\(parentID)-0\(String(flags, radix: 16))"
        }

        /// The value of the field `tracestate`, for tracing systems; `nil` if there is none.
        public var tracestate: String? {
            state.isEmpty ? nil : state.map { "\($0.key)=\($0.value)" }.joined(separator: ",")
        }

        /// The same trace, sent on by something else.
        func sent(by parent: UInt64) -> TraceContext {
            TraceContext(trace: trace, parent: parent, flags: flags, state: state)
        }
    }
}

extension HTTP.Headers {
    /// Writes a context's fields in place of those there are.
    mutating func setTraceContext(_ context: HTTP.TraceContext) {
        self["traceparent"] = context.traceparent
        self["tracestate"] = context.tracestate
    }
}

private func hexadecimal(_ number: UInt64) -> String {
    let digits = String(number, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
}
