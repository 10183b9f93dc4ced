import InterceptorKit

/// A signature base (RFC 9421 section 2.5), written into one buffer.
struct SignatureBase {
    private let own: MessagePart
    private let request: MessagePart?
    private var text: CanonicalWriter
    private var inputStart = 0
    // Shared by all components of the signed message, but not by those of a response's request.
    private var line: RequestLine?

    init(
        of message: SignableMessage,
        _ parameters: SignatureParameters
    ) throws(SigningError) {
        self.init(message)
        try parameters.checkForRepeats()
        for component in parameters.components {
            component.write(to: &text)
            text.append(": ")
            try writeValue(of: component)
            text.append("\n" as Unicode.Scalar)
        }
        text.append("\"@signature-params\": ")
        inputStart = text.bytes.count
        try parameters.write(to: &text)
    }

    private init(_ message: SignableMessage) {
        own = message.own
        request = message.request
        text = CanonicalWriter(capacity: 768)
    }

    var bytes: [UInt8] { text.bytes }

    /// The parameters as written in `Signature-Input`.
    var input: ArraySlice<UInt8> { text.bytes[inputStart...] }

    static func value(
        of component: MessageComponent,
        in message: SignableMessage
    ) throws(SigningError) -> String {
        var base = SignatureBase(message)
        try base.writeValue(of: component)
        return base.text.string
    }

    private mutating func writeValue(of component: MessageComponent) throws(SigningError) {
        try component.validate()
        let start = text.bytes.count
        let part = component.has("req") ? try requested(by: component) : own
        if component.isDerived {
            try writeDerived(component, of: part)
        } else {
            try part.writeField(component, to: &text)
        }
        guard text.isPrintable(from: start) else {
            throw .invalidComponent(
                component.description,
                "Its value has characters beyond printable ASCII; cover its bytes instead (bs)."
            )
        }
    }

    private func requested(
        by component: MessageComponent
    ) throws(SigningError) -> MessagePart {
        if let request { return request }
        guard case .response = own.start else {
            throw .invalidComponent(
                component.description,
                "Only responses have a request to refer to."
            )
        }
        throw .missing(component, "The response does not say which request it answers.")
    }

    private mutating func writeDerived(
        _ component: MessageComponent,
        of part: MessagePart
    ) throws(SigningError) {
        switch part.start {
        case .response(let status):
            guard component.name == "@status" else {
                throw .invalidComponent(
                    component.description,
                    "A response has no other derived component than @status; that of its request has "
                        + "the parameter req."
                )
            }
            text.append("\(status.code)")
        case .request(let method, let url, let target):
            if component.name == "@method" { return text.append(method.rawValue) }
            if line == nil {
                line = try RequestLine(method, url, part.headers, target: target, for: component)
            }
            try line?.write(component, to: &text)
        }
    }
}
