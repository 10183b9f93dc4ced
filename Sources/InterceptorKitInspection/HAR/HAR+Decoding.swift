import InterceptorKit

// Recorders leave out required members, or write them as `null` or with another type. Such members get defaults when an
// archive is read, and are always written.
extension HAR {
    enum CodingKeys: String, CodingKey { case log }

    public init(from decoder: any Decoder) throws {
        let content = try decoder.container(keyedBy: CodingKeys.self)
            .decode(LogReading.self, forKey: .log)
        log = content.log
        unreadable = content.unreadable
    }

    /// A log, with the problems of unreadable entries.
    private struct LogReading: Decodable {
        private enum Key: String, CodingKey { case version, creator, entries, comment }

        private struct Element: Decodable {
            let result: Result<Entry, any Error>

            init(from decoder: any Decoder) { result = Result { try Entry(from: decoder) } }
        }

        var log: Log
        var unreadable: [String]

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: Key.self)
            let elements = try container.decode([Element].self, forKey: .entries)
            log = Log(entries: elements.compactMap { try? $0.result.get() })
            unreadable = elements.enumerated().compactMap { index, element in
                guard case .failure(let error) = element.result else { return nil }
                // For a number that is too large, the decoder throws an error of another type.
                return (error as? DecodingError).map { HTTP.ContentError(archive: $0).message }
                    ?? "log.entries[\(index)]: A value cannot be read."
            }
            log.version = container.value(.version) ?? "1.2"
            log.creator = container.value(.creator) ?? Creator(name: "unknown", version: "")
            log.comment = container.value(.comment)
        }
    }
}

extension KeyedDecodingContainer {
    /// Returns a member; `nil` if it is missing, `null` or of another type.
    fileprivate func value<Value: Decodable>(_ key: Key) -> Value? {
        (try? decodeIfPresent(Value.self, forKey: key)).flatMap(\.self)
    }

    /// Returns the elements of an array that have the type.
    fileprivate func values<Value: Decodable>(_ key: Key) -> [Value] {
        (value(key) as [Readable<Value>]?)?.compactMap(\.value) ?? []
    }
}

private struct Readable<Value: Decodable>: Decodable {
    let value: Value?

    init(from decoder: any Decoder) { value = try? Value(from: decoder) }
}

extension HAR.Creator {
    enum CodingKeys: String, CodingKey { case name, version }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            name: container.value(.name) ?? "unknown",
            version: container.value(.version) ?? ""
        )
    }
}

extension HAR.Entry {
    enum CodingKeys: String, CodingKey {
        case startedDateTime, time, request, response, cache, timings, comment
        case events = "_events"
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            startedDateTime: container.value(.startedDateTime) ?? "",
            request: try container.decode(HAR.Request.self, forKey: .request),
            response: try container.decodeIfPresent(HAR.Response.self, forKey: .response)
                ?? HAR.Response(status: 0),
            timings: container.value(.timings) ?? HAR.Timings(wait: .zero, receive: .zero),
            events: container.values(.events)
        )
        time = container.value(.time) ?? time
        cache = container.value(.cache)
        comment = container.value(.comment)
    }
}

extension HAR.Timings {
    enum CodingKeys: String, CodingKey { case blocked, dns, connect, send, wait, receive, ssl }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.init(wait: .zero, receive: .zero)
        blocked = container.value(.blocked)
        dns = container.value(.dns)
        connect = container.value(.connect)
        send = container.value(.send) ?? 0
        wait = container.value(.wait) ?? 0
        receive = container.value(.receive) ?? 0
        ssl = container.value(.ssl)
    }
}

extension HAR.Request {
    enum CodingKeys: String, CodingKey {
        case method, url, httpVersion, cookies, headers, queryString, postData, headersSize
        case bodySize, comment
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            method: try container.decode(String.self, forKey: .method),
            url: try container.decode(String.self, forKey: .url),
            headers: container.values(.headers),
            queryString: container.values(.queryString),
            postData: container.value(.postData),
            bodySize: container.value(.bodySize) ?? -1
        )
        httpVersion = container.value(.httpVersion) ?? "unknown"
        cookies = container.values(.cookies)
        headersSize = container.value(.headersSize) ?? -1
        comment = container.value(.comment)
    }
}

extension HAR.PostData {
    enum CodingKeys: String, CodingKey {
        case mimeType, text, params, comment
        case encoding = "_encoding"
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            mimeType: container.value(.mimeType) ?? "",
            text: container.value(.text),
            encoding: container.value(.encoding)
        )
        let parameters: [HAR.Parameter] = container.values(.params)
        params = parameters.isEmpty ? nil : parameters
        comment = container.value(.comment)
    }
}

extension HAR.Response {
    enum CodingKeys: String, CodingKey {
        case status, statusText, httpVersion, cookies, headers, content, redirectURL, headersSize
        case bodySize, comment
        case trailers = "_trailers"
        case failure = "_failure"
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            status: try container.decodeIfPresent(Int.self, forKey: .status) ?? 0,
            statusText: container.value(.statusText) ?? "",
            headers: container.values(.headers),
            content: container.value(.content) ?? HAR.Content(size: -1, mimeType: ""),
            redirectURL: container.value(.redirectURL) ?? ""
        )
        httpVersion = container.value(.httpVersion) ?? "unknown"
        cookies = container.values(.cookies)
        headersSize = container.value(.headersSize) ?? -1
        bodySize = container.value(.bodySize) ?? -1
        comment = container.value(.comment)
        trailers = container.value(.trailers)
        failure = container.value(.failure)
    }
}

extension HAR.Content {
    enum CodingKeys: String, CodingKey { case size, mimeType, text, encoding, comment }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let text: String? = container.value(.text)
        self.init(
            size: container.value(.size) ?? text?.utf8.count ?? -1,
            mimeType: container.value(.mimeType) ?? "",
            text: text,
            encoding: container.value(.encoding),
            comment: container.value(.comment)
        )
    }
}
