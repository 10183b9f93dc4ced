import InterceptorKit

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A 64-bit number, which the gateway writes as a string and omits if it is zero.
struct EtcdNumber: Codable, Hashable {
    var value: Int64

    init(_ value: Int64) { self.value = value }

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let text = try? container.decode(String.self) {
            guard let value = Int64(text) else {
                throw DecodingError.dataCorruptedError(in: container, debugDescription: "no number")
            }
            self.value = value
        } else {
            value = try container.decode(Int64.self)
        }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode("\(value)")
    }
}

/// An entry of etcd. Keys and values are bytes, in base64 in messages.
struct EtcdEntry: Decodable {
    var key: Data
    var value: Data?
    var modified: EtcdNumber
    /// The lease that the entry ends with.
    var lease: EtcdNumber?

    enum CodingKeys: String, CodingKey {
        case key, value, lease
        case modified = "mod_revision"
    }
}

struct EtcdRange: Codable {
    struct Response: Decodable {
        var kvs: [EtcdEntry]?
        /// The number of keys, even beyond the limit of the request.
        var count: EtcdNumber?
    }

    var key: Data
    /// The key after the last one; `nil` for a single key.
    var end: Data?
    var limit: EtcdNumber?
    var order: String?
    var sorting: String?

    enum CodingKeys: String, CodingKey {
        case key, limit
        case end = "range_end"
        case order = "sort_order"
        case sorting = "sort_target"
    }

    init(_ key: Data) { self.key = key }

    /// Selects all keys with a prefix, which must not be empty.
    init(prefix: String) {
        key = Data(prefix.utf8)
        // UTF-8 has no byte 0xFF, so the addition cannot overflow.
        end = Data(prefix.utf8.dropLast() + prefix.utf8.suffix(1).map { $0 + 1 })
    }

    /// Selects the number of keys with a prefix, and the oldest of them.
    static func oldest(prefix: String) -> EtcdRange {
        var range = EtcdRange(prefix: prefix)
        range.limit = EtcdNumber(1)
        range.order = "ASCEND"
        range.sorting = "CREATE"
        return range
    }
}

/// Atomically does one list of operations if all comparisons hold, and another if not.
struct EtcdTransaction: Encodable {
    /// Holds if the key was last changed in the given revision; 0 means that the key is missing.
    struct Comparison: Encodable {
        var key: Data
        var revision: EtcdNumber
        let target = "MOD"
        let result = "EQUAL"

        enum CodingKeys: String, CodingKey {
            case key, target, result
            case revision = "mod_revision"
        }
    }

    struct Operation: Encodable {
        struct Put: Encodable {
            var key: Data
            var value: Data
            var lease: EtcdNumber?
        }

        var put: Put?
        var range: EtcdRange?
        var delete: EtcdRange?

        enum CodingKeys: String, CodingKey {
            case put = "request_put"
            case range = "request_range"
            case delete = "request_delete_range"
        }

        static func put(_ key: Data, _ value: Data, lease: EtcdNumber? = nil) -> Operation {
            Operation(put: Put(key: key, value: value, lease: lease))
        }

        static func range(_ key: Data) -> Operation { range(EtcdRange(key)) }

        static func range(_ range: EtcdRange) -> Operation { Operation(range: range) }

        static func delete(_ key: Data) -> Operation { Operation(delete: EtcdRange(key)) }
    }

    struct Response: Decodable {
        struct Part: Decodable {
            var range: EtcdRange.Response?

            enum CodingKeys: String, CodingKey {
                case range = "response_range"
            }
        }

        struct Header: Decodable {
            var revision: EtcdNumber
        }

        var header: Header
        var succeeded: Bool?
        var responses: [Part]?

        /// The results of the read operations, in order.
        var entries: [EtcdEntry?] { (responses ?? []).compactMap(\.range).map { $0.kvs?.first } }
    }

    var compare: [Comparison] = []
    var success: [Operation]
    var failure: [Operation] = []
}

struct EtcdLease: Codable {
    struct KeptAlive: Decodable {
        var result: EtcdLease
    }

    struct TimeLeft: Decodable {
        /// In seconds; negative if the lease has ended.
        var ttl: EtcdNumber?

        enum CodingKeys: String, CodingKey {
            case ttl = "TTL"
        }
    }

    var id: EtcdNumber
    /// In seconds; `nil` if the lease has ended.
    var ttl: EtcdNumber?

    enum CodingKeys: String, CodingKey {
        case id = "ID"
        case ttl = "TTL"
    }
}

struct EtcdWatch: Encodable {
    struct Creation: Encodable {
        var key: Data
        var end: Data?
        var start: EtcdNumber
        var filters: [String]

        enum CodingKeys: String, CodingKey {
            case key, filters
            case end = "range_end"
            case start = "start_revision"
        }

        init(key: Data, end: Data? = nil, after revision: EtcdNumber, filters: [String] = []) {
            self.key = key
            self.end = end
            start = EtcdNumber(revision.value.saturatingAdding(1))
            self.filters = filters
        }
    }

    var creation: Creation

    init(_ creation: Creation) { self.creation = creation }

    enum CodingKeys: String, CodingKey {
        case creation = "create_request"
    }
}

/// An ignored response object.
struct EtcdNothing: Decodable {}
