import InterceptorKit

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A 64-bit number, which the gateway writes in quotes and leaves out where it is zero.
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

/// What etcd keeps under a key. Keys and values are bytes, in base64 on the way.
struct EtcdEntry: Decodable {
    var key: Data
    var value: Data?
    var modified: EtcdNumber
    /// The lease that it goes with.
    var lease: EtcdNumber?

    enum CodingKeys: String, CodingKey {
        case key, value, lease
        case modified = "mod_revision"
    }
}

struct EtcdRange: Codable {
    struct Response: Decodable {
        var kvs: [EtcdEntry]?
        /// How many keys there are, also if they were not all asked for.
        var count: EtcdNumber?
    }

    var key: Data
    /// The key after the last one; one key if it is missing.
    var end: Data?
    /// The largest number of entries to return.
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

    /// All keys that begin with a text that is not empty.
    init(prefix: String) {
        key = Data(prefix.utf8)
        // No byte of UTF-8 is the largest one.
        end = Data(prefix.utf8.dropLast() + prefix.utf8.suffix(1).map { $0 + 1 })
    }

    /// The number of keys that begin with a text, and the one of them that was made first.
    static func oldest(prefix: String) -> EtcdRange {
        var range = EtcdRange(prefix: prefix)
        range.limit = EtcdNumber(1)
        range.order = "ASCEND"
        range.sorting = "CREATE"
        return range
    }
}

/// Does some things if all comparisons hold, and others if not, in one step.
struct EtcdTransaction: Encodable {
    /// Holds if the key was last changed in that revision; 0 means a missing key.
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

        /// What was read, one for each read.
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
        /// Seconds; negative if the lease has ended.
        var ttl: EtcdNumber?

        enum CodingKeys: String, CodingKey {
            case ttl = "TTL"
        }
    }

    var id: EtcdNumber
    /// Seconds; none is left of a lease that has ended.
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

/// Any answer that is an object.
struct EtcdNothing: Decodable {}
