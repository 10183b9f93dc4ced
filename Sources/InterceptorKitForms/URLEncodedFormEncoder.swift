public import InterceptorKit

extension HTTP {
    /// An encoder that turns an `Encodable` value into the names and values of a query or a form.
    ///
    /// ```swift
    /// let search = SearchRequest(text: "green tea", tags: ["loose"])
    /// let found = try await api.send(.get("/search", query: search))
    /// ```
    ///
    /// The options have the names and defaults of Alamofire's `URLEncodedFormEncoder`. The value is a type with
    /// properties or a dictionary. The elements of an array keep their order. What sends nothing, such as a dropped
    /// `nil` or an empty array, has no name and no index. `Decimal`, `URL` and `UUID` are text.
    public struct URLEncodedFormEncoder: Sendable {
        // The limit of `JSONValue`, so that no value from outside uses up the stack.
        static let deepest = 512

        /// Whether the keys of each value are sorted, as the type names them, so that a dictionary is written the same each time. Otherwise
        /// they are in the order in which the value encodes them.
        public var alphabetizeKeyValuePairs: Bool
        /// The names of an array's elements.
        public var arrayEncoding: ArrayEncoding
        /// The text of booleans.
        public var boolEncoding: BoolEncoding
        /// The text of `Data`.
        public var dataEncoding: DataEncoding
        /// The text of dates.
        public var dateEncoding: DateEncoding
        /// The spelling of keys.
        public var keyEncoding: KeyEncoding
        /// The names of values within values.
        public var keyPathEncoding: KeyPathEncoding
        /// The treatment of `nil`.
        public var nilEncoding: NilEncoding
        /// The form of spaces in names and values.
        public var spaceEncoding: HTTP.Parameters.SpaceEncoding

        /// Creates an encoder.
        /// - Parameters:
        ///   - alphabetizeKeyValuePairs: Whether the keys of each value are sorted. Defaults to `true`.
        ///   - arrayEncoding: The names of an array's elements. Defaults to `ids[]=7`.
        ///   - boolEncoding: The text of booleans. Defaults to `1` and `0`.
        ///   - dataEncoding: The text of `Data`. Defaults to Base64.
        ///   - dateEncoding: The text of dates. Defaults to that of `Date` itself, seconds since 2001.
        ///   - keyEncoding: The spelling of keys. Defaults to that of the type.
        ///   - keyPathEncoding: The names of values within values. Defaults to `range[from]=7`.
        ///   - nilEncoding: The treatment of `nil`. Defaults to leaving it out.
        ///   - spaceEncoding: The form of spaces. Defaults to `%20`.
        public init(
            alphabetizeKeyValuePairs: Bool = true,
            arrayEncoding: ArrayEncoding = .brackets,
            boolEncoding: BoolEncoding = .numeric,
            dataEncoding: DataEncoding = .base64,
            dateEncoding: DateEncoding = .deferredToDate,
            keyEncoding: KeyEncoding = .useDefaultKeys,
            keyPathEncoding: KeyPathEncoding = .brackets,
            nilEncoding: NilEncoding = .dropKey,
            spaceEncoding: HTTP.Parameters.SpaceEncoding = .percentEscaped
        ) {
            self.alphabetizeKeyValuePairs = alphabetizeKeyValuePairs
            self.arrayEncoding = arrayEncoding
            self.boolEncoding = boolEncoding
            self.dataEncoding = dataEncoding
            self.dateEncoding = dateEncoding
            self.keyEncoding = keyEncoding
            self.keyPathEncoding = keyPathEncoding
            self.nilEncoding = nilEncoding
            self.spaceEncoding = spaceEncoding
        }

        /// Returns the names and values of a value.
        /// - Throws: `HTTP.ContentError` with the code `cannotEncode`: if the value is an array or a single value,
        ///   which has no name; if it is nested more than 512 levels deep; or with the cause that the value or a
        ///   closure threw.
        public func encode(_ value: some Encodable) throws(ContentError) -> Parameters {
            let type = Swift.type(of: value)
            let root: FormNode
            do {
                root = try FormNode(of: value, by: self)
            } catch {
                throw .cannotEncode(type, error)
            }
            if root.kind == .text || root.kind == .list { throw .nameless(type) }
            var parameters = Parameters()
            parameters.spaceEncoding = spaceEncoding
            write(root, as: nil, to: &parameters)
            return parameters
        }

        // The value at the top has no name.
        private func write(_ node: FormNode, as name: String?, to parameters: inout Parameters) {
            switch node.kind {
            case .nothing: break
            case .text: parameters.append(name: name ?? "", value: node.text)
            case .list:
                var index = 0
                for element in node.children {
                    let count = parameters.count
                    write(element, as: arrayEncoding.name(name ?? "", index), to: &parameters)
                    if parameters.count > count { index += 1 }
                }
            case .object:
                for member in alphabetizeKeyValuePairs ? node.sortedChildren : node.children {
                    let key = keyEncoding.spelling(member.key)
                    let path = name.map { keyPathEncoding.name($0, key) } ?? key
                    write(member, as: path, to: &parameters)
                }
            }
        }
    }
}

extension HTTP.Request {
    /// Creates a request with a value as its query.
    /// - Parameters:
    ///   - method: The HTTP method. Defaults to `GET`.
    ///   - url: The URL, absolute or relative to the client's base URL.
    ///   - value: A type with properties, or a dictionary.
    ///   - encoder: The names of arrays and nested values, and the text of dates. Defaults to those of
    ///     ``HTTP/URLEncodedFormEncoder``.
    ///   - headers: The header fields. Defaults to none.
    ///   - body: The body. Defaults to none.
    /// - Throws: As ``HTTP/URLEncodedFormEncoder/encode(_:)``.
    @_disfavoredOverload
    public init(
        _ method: HTTP.Method = .get,
        _ url: HTTP.URL,
        query value: some Encodable,
        by encoder: HTTP.URLEncodedFormEncoder = HTTP.URLEncodedFormEncoder(),
        headers: HTTP.Headers = [:],
        body: HTTP.Body = .empty
    ) throws(HTTP.ContentError) {
        let query = try encoder.encode(value)
        self.init(method, url, query: query, headers: headers, body: body)
    }

    /// Returns a `GET` request with a value as its query.
    /// - Throws: As ``HTTP/URLEncodedFormEncoder/encode(_:)``.
    @_disfavoredOverload
    public static func get(
        _ url: HTTP.URL,
        query value: some Encodable,
        by encoder: HTTP.URLEncodedFormEncoder = HTTP.URLEncodedFormEncoder(),
        headers: HTTP.Headers = [:]
    ) throws(HTTP.ContentError) -> Self {
        try Self(.get, url, query: value, by: encoder, headers: headers)
    }

    /// Returns the request with a value as a form: `application/x-www-form-urlencoded`, in UTF-8.
    /// - Parameters:
    ///   - value: A type with properties, or a dictionary.
    ///   - encoder: The names of arrays and nested values, and the text of dates. Defaults to those of
    ///     ``HTTP/URLEncodedFormEncoder``.
    /// - Throws: As ``HTTP/URLEncodedFormEncoder/encode(_:)``.
    @_disfavoredOverload
    public func form(
        _ value: some Encodable,
        by encoder: HTTP.URLEncodedFormEncoder = HTTP.URLEncodedFormEncoder()
    ) throws(HTTP.ContentError) -> Self {
        form(try encoder.encode(value))
    }
}

extension HTTP.ContentError {
    fileprivate static func nameless(_ type: Any.Type) -> Self {
        Self(
            .cannotEncode,
            "A value of the type \(type) has no names, which a query or form needs. Give a type with properties or "
                + "a dictionary around it."
        )
    }
}

extension HTTP.BodyEncoder where Value: Encodable & SendableMetatype {
    /// An encoder for a form, `application/x-www-form-urlencoded`.
    @_disfavoredOverload
    public static var form: Self { form(HTTP.URLEncodedFormEncoder()) }

    /// Returns an encoder for a form, `application/x-www-form-urlencoded`.
    /// - Parameter encoder: The names of arrays and nested values, and the text of dates.
    public static func form(_ encoder: HTTP.URLEncodedFormEncoder) -> Self {
        Self { value, _ in
            let body = HTTP.Body.form(try encoder.encode(value))
            return HTTP.Content(body, mediaType: body.mediaType)
        }
    }
}
