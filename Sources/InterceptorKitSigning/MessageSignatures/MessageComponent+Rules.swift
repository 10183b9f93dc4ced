import InterceptorKit

extension MessageComponent {
    var isDerived: Bool { name.utf8.first == UInt8(ascii: "@") }

    func has(_ flag: String) -> Bool { parameters[flag] != nil }

    /// Throws if the identifier is unknown or its parameters are invalid (RFC 9421 sections 2.1, 2.2 and 2.5).
    func validate() throws(SigningError) {
        if isValid { return }
        if isDerived {
            guard isKnown else {
                throw .invalidComponent(description, "There is no such derived component.")
            }
            guard (name == "@query-param") == has("name") else {
                throw .invalidComponent(
                    description,
                    "@query-param has a name, and nothing else does."
                )
            }
            return try validateParameters { $0 == "req" || $0 == "name" }
        }
        guard HTTP.FieldSyntax.isToken(name), !name.utf8.contains(where: { 65...90 ~= $0 }) else {
            throw .invalidComponent(description, "It isn't a field name in lower case.")
        }
        try validateParameters { ["req", "tr", "sf", "bs", "key"].contains($0) }
        guard !has("bs") || !(has("sf") || has("key")) else {
            throw .invalidComponent(description, "The bs form excludes sf and key.")
        }
    }

    private func validateParameters(_ isAllowed: (String) -> Bool) throws(SigningError) {
        for (key, value) in parameters {
            guard isAllowed(key) else {
                throw .invalidComponent(
                    description,
                    "The parameter \(key) is not known for it."
                )
            }
            let isText = key == "name" || key == "key"
            guard isText ? value.string != nil : value == .boolean(true) else {
                throw .invalidComponent(
                    description,
                    "The parameter \(key) has to be a \(isText ? "string" : "bare flag")."
                )
            }
        }
    }

    /// Whether RFC 9421 section 2.2 defines this derived component.
    private var isKnown: Bool {
        switch name {
        case "@method", "@target-uri", "@authority", "@scheme", "@request-target", "@path",
            "@query", "@query-param", "@status":
            true
        default:
            false
        }
    }
}

extension SigningError {
    static func invalidComponent(_ identifier: String, _ reason: String) -> SigningError {
        SigningError(
            .invalidComponent,
            "The component \(HTTP.printable(identifier)) cannot be covered. \(reason)"
        )
    }

    static func missing(_ component: MessageComponent, _ hint: String = "") -> SigningError {
        SigningError(
            .missingField,
            "The message has no \(HTTP.printable(component.description)), which the signature has to "
                + "cover. Add it, or do not require it.\(hint.isEmpty ? "" : " " + hint)"
        )
    }
}
