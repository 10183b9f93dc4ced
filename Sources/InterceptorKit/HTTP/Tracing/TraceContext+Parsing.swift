extension HTTP.TraceContext {
    /// Reads the values of the fields; `nil` if `traceparent` is invalid, in which case `tracestate` does not
    /// count either (W3C Trace Context section 3.3.1.2).
    ///
    /// A version later than 00 is read as if it were 00.
    /// - Parameters:
    ///   - traceparent: The value of the field.
    ///   - tracestate: The values of all fields of that name, in order. A mistake in one discards them all.
    ///     Defaults to none.
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

// Capital letters are not valid (section 3.2.2).
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
