/// Writes what a signature is made over (RFC 9421 section 2.5), into one buffer.
struct SignatureBase {
    private let own: MessagePart
    private let answered: MessagePart?
    private var text: CanonicalText
    // Taken apart once for all components of a message; that of a response's request is another.
    private var line: RequestLine?

    init(_ message: SignableMessage) {
        own = message.own
        answered = message.answered
        text = CanonicalText(capacity: 768)
    }

    /// The bytes of a base.
    /// - Parameters:
    ///   - parameters: What is covered.
    ///   - serialized: The same as it stands in `Signature-Input`.
    static func bytes(
        of message: SignableMessage,
        _ parameters: SignatureParameters,
        serialized: String
    ) throws(SigningError) -> [UInt8] {
        try parameters.checkForRepeats()
        var base = SignatureBase(message)
        for component in parameters.components {
            component.write(to: &base.text)
            base.text.append(": ")
            try base.writeValue(of: component)
            base.text.append("\n" as Unicode.Scalar)
        }
        base.text.append("\"@signature-params\": ")
        base.text.append(serialized)
        return base.text.bytes
    }

    /// The canonical value of a component.
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
        guard text.bytes[start...].allSatisfy({ 0x20...0x7E ~= $0 || $0 == 0x09 }) else {
            throw .invalidComponent(
                component.description,
                "Its value has characters beyond printable ASCII; cover its bytes instead (bs)."
            )
        }
    }

    private func requested(
        by component: MessageComponent
    ) throws(SigningError) -> MessagePart {
        if let answered { return answered }
        guard case .response = own else {
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
        switch part {
        case .response(let response):
            guard component.name == "@status" else {
                throw .invalidComponent(
                    component.description,
                    "A response has no other derived component than @status; that of its request has "
                        + "the parameter req."
                )
            }
            text.append("\(response.status.code)")
        case .request(let request, let target):
            if component.name == "@method" { return text.append(request.method.rawValue) }
            let line: RequestLine
            if let known = self.line {
                line = known
            } else {
                line = try RequestLine(request, target: target, for: component)
                self.line = line
            }
            try line.write(component, to: &text)
        }
    }
}
