#if HTTPTypes
public import HTTPTypes
public import InterceptorKit

extension HTTPFields {
    // The largest number of fields that HTTPFields can hold; more would trap.
    private static let limit = Int(UInt16.max) - 1

    /// Creates the fields in the same order, spelling and number.
    /// - Throws: An `HTTP.RequestError` if a name or value was rejected when `headers` was created, or there are more
    ///   than 65,534 fields.
    public init(_ headers: HTTP.Headers) throws(HTTP.RequestError) {
        if let problem = headers.problem { throw problem }
        guard headers.count <= HTTPFields.limit else {
            throw HTTP.RequestError(
                .invalidField,
                "There are \(headers.count) fields; HTTPFields holds up to \(HTTPFields.limit)."
            )
        }
        self.init()
        reserveCapacity(headers.count)
        for field in headers { append(try HTTPField(field)) }
    }
}

extension HTTP.Headers {
    /// Creates the fields in the same order, spelling and number.
    ///
    /// A field's compression hint (its `indexingStrategy`) is dropped.
    /// - Throws: An `HTTP.RequestError` that names a field whose value is not UTF-8, or begins or ends with white space.
    public init(_ fields: HTTPFields) throws(HTTP.RequestError) {
        self.init()
        reserveCapacity(fields.count)
        for field in fields {
            guard let value = field.utf8Value else {
                throw HTTP.RequestError(
                    .invalidField,
                    "The value of the field \(field.name) is not UTF-8, which HTTP.Headers holds."
                )
            }
            append(name: field.name.rawName, value: value)
            guard problem == nil, last?.value == value else {
                throw HTTP.RequestError(
                    .invalidField,
                    "The value of the field \(field.name) begins or ends with white space, or has a line "
                        + "break, which HTTP.Headers does not hold."
                )
            }
        }
    }
}

extension HTTPField {
    fileprivate init(_ field: HTTP.Headers.Field) throws(HTTP.RequestError) {
        guard let name = Name(field.name) else {
            throw HTTP.RequestError(
                .invalidField,
                "\(field.name.debugDescription) is not a field name."
            )
        }
        // The strict initializer turns control characters into spaces; the lenient one keeps those that are not line
        // breaks.
        self =
            HTTPField.isValidValue(field.value)
            ? HTTPField(name: name, value: field.value)
            : HTTPField(name: name, lenientValue: Array(field.value.utf8))
    }

    fileprivate var utf8Value: String? {
        // An ASCII value has the same bytes as its text, and needs no copy.
        let text = value
        if text.utf8.allSatisfy({ $0 < 0x80 }) { return text }
        // Safety: the bytes are copied into the text before they are taken back.
        return unsafe withUnsafeBytesOfValue { bytes in
            unsafe String(validating: bytes, as: UTF8.self)
        }
    }
}
#endif
