extension HTTP.Headers {
    /// The key by which a server recognises a repeated request: the `Idempotency-Key` field, a string of
    /// structured fields (draft-ietf-httpapi-idempotency-key-header section 2.1).
    ///
    /// Reading gives `nil` if there is no field or it isn't such a string, for example because a service
    /// wants it without quotes. Setting a key with characters other than printable ASCII makes the request
    /// invalid; setting `nil` removes the field.
    public var idempotencyKey: String? {
        get { (try? structuredItem("Idempotency-Key"))?.value.string }
        set {
            guard let newValue else {
                self["Idempotency-Key"] = nil
                return
            }
            let item = HTTP.StructuredField.Item(.string(newValue))
            // What cannot be said so is kept as it is not, for the refusal to name the field.
            self["Idempotency-Key"] = (try? item.serialized()) ?? "\0"
        }
    }

    /// Whether the request names itself to the server, in quotes or, as some services want it, without.
    var namesOperation: Bool {
        guard let value = self["Idempotency-Key"] else { return false }
        return !value.isEmpty && value != "\"\""
    }
}
