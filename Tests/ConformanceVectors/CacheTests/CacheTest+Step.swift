import InterceptorKit

extension CacheTest {
    /// A request, the origin's answer to it, and what is expected of both.
    struct Step: Decodable, Sendable {
        enum Origin: String, Decodable, Sendable {
            /// The origin was not asked.
            case cached
            /// The origin was asked.
            case not_cached
            /// The origin was asked whether what the cache had was still good, by its date.
            case lm_validated
            /// The same, by its entity tag.
            case etag_validated

            var isValidated: Bool { self == .lm_validated || self == .etag_validated }
        }

        let requestMethod: String?
        let requestHeaders: [Field]?
        let requestBody: String?
        let filename: String?
        let queryArg: String?
        let magicIms: Bool?
        let rfc850date: [String]?
        let pauseAfter: Bool?

        let responseStatus: Status?
        let responseHeaders: [Field]?
        let responseBody: String?
        let responsePause: Int?
        let magicLocations: Bool?
        let disconnect: Bool?
        let interimResponses: [Interim]?

        let setup: Bool?
        let setupTests: [Aspect]?
        let checkBody: Bool?
        let expectedType: Origin?
        let expectedStatus: Wanted<Int>?
        let expectedMethod: String?
        let expectedRequestHeaders: [FieldCheck]?
        let expectedRequestHeadersMissing: [FieldCheck]?
        let expectedResponseHeaders: [FieldCheck]?
        let expectedResponseHeadersMissing: [FieldCheck]?
        let expectedResponseText: Wanted<String>?
        let expectedInterimResponses: [Interim]?

        var method: HTTP.Method { HTTP.Method(rawValue: requestMethod ?? "GET") }

        /// Whether what goes wrong there only means that the case could not be tried.
        func isSetup(_ aspect: Aspect) -> Bool {
            setup == true || setupTests?.contains(aspect) == true
        }
    }

    /// What may be looked at on the way to what a case is about.
    enum Aspect: String, Decodable, Sendable {
        case origin = "expected_type"
        case method = "expected_method"
        case status = "expected_status"
        case requestFields = "expected_request_headers"
        case requestFieldsMissing = "expected_request_headers_missing"
        case responseFields = "expected_response_headers"
        case responseFieldsMissing = "expected_response_headers_missing"
        case interimResponses = "expected_interim_responses"
        case text = "expected_response_text"
    }

    /// A status code; its phrase means nothing.
    struct Status: Decodable, Sendable {
        let code: Int

        init(from decoder: any Decoder) throws {
            var list = try decoder.unkeyedContainer()
            code = try list.decode(Int.self)
        }
    }

    /// A response before the final one.
    struct Interim: Decodable, Sendable {
        let status: HTTP.Status
        let headers: HTTP.Headers

        init(from decoder: any Decoder) throws {
            var list = try decoder.unkeyedContainer()
            status = HTTP.Status(try list.decode(Int.self))
            let fields = list.isAtEnd ? [] : try list.decode([[String]].self)
            headers = HTTP.Headers(fields.map { ($0[0], $0[1]) })
        }
    }

    /// What an expectation says, where `null` is not the same as nothing.
    enum Wanted<Value: Decodable & Sendable>: Decodable, Sendable {
        case anything
        case exactly(Value)

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            self = container.decodeNil() ? .anything : .exactly(try container.decode(Value.self))
        }
    }
}

extension KeyedDecodingContainer {
    /// Takes the place of the standard one, which takes `null` for nothing.
    func decodeIfPresent<Value>(
        _ type: CacheTest.Wanted<Value>.Type,
        forKey key: Key
    ) throws -> CacheTest.Wanted<Value>? {
        contains(key) ? try decode(type, forKey: key) : nil
    }
}
