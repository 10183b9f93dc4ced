extension HTTP {
    /// The place of a request in a distributed trace: the values of the fields `traceparent` and `tracestate` (W3C
    /// Trace Context, level 2).
    ///
    /// ```swift
    /// // In a server, of a request that came in:
    /// let context = HTTP.TraceContext(incoming.headers)
    /// // and for what is sent on its behalf:
    /// let response = try await api.send(.get("/stock")) { $0.traceContext = context }
    /// ```
    public struct TraceContext: Hashable, Sendable {
        // The identifier of the trace in two halves.
        private let trace: [UInt64]
        private let parent: UInt64
        private let flags: UInt8
        private let state: [StateMember]

        init(trace: [UInt64], parent: UInt64, flags: UInt8) {
            self.init(trace: trace, parent: parent, flags: flags, state: [])
        }

        private init(trace: [UInt64], parent: UInt64, flags: UInt8, state: [StateMember]) {
            self.trace = trace
            self.parent = parent
            // Other flags are reserved, and a sender that does not know them sets them to zero (section 3.2.2.5.3).
            self.flags = flags & 0b11
            self.state = state
        }

        /// The identifier of the trace: 32 hexadecimal digits in lower case.
        public var traceID: String { trace.map(hexadecimal).joined() }

        /// The identifier of the sender's span, the parent of the receiver's work: 16 hexadecimal digits in lower case.
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

        /// Returns the same trace, with another sender's span.
        func sent(by parent: UInt64) -> TraceContext {
            TraceContext(trace: trace, parent: parent, flags: flags, state: state)
        }
    }
}

extension HTTP.Headers {
    /// Writes the fields of a context in place of existing ones.
    mutating func setTraceContext(_ context: HTTP.TraceContext) {
        self["traceparent"] = context.traceparent
        self["tracestate"] = context.tracestate
    }
}

private func hexadecimal(_ number: UInt64) -> String {
    let digits = String(number, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
}

private enum Incoming: CallKey {
    static let defaultValue: HTTP.TraceContext? = nil
}

extension Call {
    /// The trace that the call is part of, such as that of an incoming request; `nil`, the default, if there is none.
    public var traceContext: HTTP.TraceContext? {
        get { self[Incoming.self] }
        set { self[Incoming.self] = newValue }
    }
}

extension HTTP.TraceContext {
    /// Reads the values of the fields; `nil` if `traceparent` is invalid, in which case `tracestate` does not count
    /// either (W3C Trace Context section 3.3.1.2).
    ///
    /// A version later than 00 is read as if it were 00.
    /// - Parameters:
    ///   - traceparent: The value of the field.
    ///   - tracestate: The values of all fields of that name, in order. A mistake in one discards them all. Defaults to
    ///     none.
    public init?(traceparent: String, tracestate: [String] = []) {
        let text = Array(HTTP.FieldSyntax.trimmed(traceparent).utf8)
        guard text.count >= 55, let version = number(text[0..<2]), version != 0xff,
            text.count == 55 || (version > 0 && text[55] == dash),
            text[2] == dash, text[35] == dash, text[52] == dash,
            let high = number(text[3..<19]), let low = number(text[19..<35]), high | low != 0,
            let parent = number(text[36..<52]), parent != 0,
            let flags = number(text[53..<55])
        else { return nil }
        self.init(
            trace: [high, low],
            parent: parent,
            flags: UInt8(truncatingIfNeeded: flags),
            state: Self.members(of: tracestate) ?? []
        )
    }

    /// Reads a message's fields; `nil` without exactly one valid `traceparent`.
    public init?(_ headers: HTTP.Headers) {
        let parents = headers.values("traceparent")
        guard parents.count == 1 else { return nil }
        self.init(traceparent: parents[0], tracestate: headers.values("tracestate"))
    }
}

private let dash = UInt8(ascii: "-")

// Capital letters are invalid (section 3.2.2).
private func number(_ digits: ArraySlice<UInt8>) -> UInt64? {
    var number: UInt64 = 0
    for digit in digits {
        switch digit {
        case UInt8(ascii: "0")...UInt8(ascii: "9"):
            number = number << 4 | UInt64(digit - UInt8(ascii: "0"))
        case UInt8(ascii: "a")...UInt8(ascii: "f"):
            number = number << 4 | UInt64(digit - UInt8(ascii: "a") + 10)
        default: return nil
        }
    }
    return number
}

extension HTTP.TraceContext {
    /// The entry of one tracing system in `tracestate`.
    private struct StateMember: Hashable, Sendable {
        let key: String
        let value: String

        // A key has at most 256 characters, and so has a value (section 3.3.1.3).
        init?(_ text: Substring.UTF8View) {
            guard let equals = text.firstIndex(of: UInt8(ascii: "=")) else { return nil }
            let key = text[..<equals]
            let value = text[text.index(after: equals)...]
            guard 1...256 ~= key.count, let first = key.first, Self.isAlphanumeric(first),
                key.allSatisfy(Self.isKeyByte), 1...256 ~= value.count,
                value.allSatisfy(Self.isValueByte)
            else { return nil }
            self.key = String(Substring(key))
            self.value = String(Substring(value))
        }

        private static func isAlphanumeric(_ byte: UInt8) -> Bool {
            97...122 ~= byte || 48...57 ~= byte
        }

        private static func isKeyByte(_ byte: UInt8) -> Bool {
            isAlphanumeric(byte) || "_-*/@".utf8.contains(byte)
        }

        private static func isValueByte(_ byte: UInt8) -> Bool {
            0x20...0x7e ~= byte && byte != UInt8(ascii: ",") && byte != UInt8(ascii: "=")
        }
    }

    /// Returns the members of all `tracestate` fields, the newest first; `nil` if one is invalid or there are more than
    /// 32 (section 3.3.1.1). Of two with the same key, the newer counts.
    private static func members(of fields: [String]) -> [StateMember]? {
        var members: [StateMember] = []
        var count = 0
        for field in fields {
            for part in field.utf8.split(separator: UInt8(ascii: ",")) {
                let text = HTTP.FieldSyntax.trimmed(String(Substring(part)))
                if text.isEmpty { continue }
                count += 1
                guard count <= 32, let member = StateMember(text[...].utf8) else { return nil }
                if !members.contains(where: { $0.key == member.key }) { members.append(member) }
            }
        }
        return members
    }
}
