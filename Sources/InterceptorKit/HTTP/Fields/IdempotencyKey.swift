extension HTTP.Headers {
    /// The key by which a server recognises a repeated request: the `Idempotency-Key` field, a string of
    /// structured fields (draft-ietf-httpapi-idempotency-key-header section 2.1).
    ///
    /// The key is `nil` if the field is missing or isn't such a string, for example because a service requires it
    /// without quotes. Setting a key with characters other than printable ASCII makes the request invalid; setting
    /// `nil` removes the field.
    public var idempotencyKey: String? {
        get { (try? structuredItem("Idempotency-Key"))?.value.string }
        set {
            guard let newValue else {
                self["Idempotency-Key"] = nil
                return
            }
            let item = HTTP.StructuredField.Item(.string(newValue))
            // For an invalid key, NUL makes the list refuse the field, with an error that names it.
            self["Idempotency-Key"] = (try? item.serialized()) ?? "\0"
        }
    }

    /// Whether the request has an idempotency key, with quotes or, as some services require, without.
    var hasIdempotencyKey: Bool {
        guard let value = self["Idempotency-Key"] else { return false }
        return !value.isEmpty && value != "\"\""
    }
}
