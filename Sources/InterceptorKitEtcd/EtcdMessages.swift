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

    enum CodingKeys: String, CodingKey {
        case key, value
        case modified = "mod_revision"
    }
}

struct EtcdRange: Codable {
    struct Response: Decodable {
        var kvs: [EtcdEntry]?
    }

    var key: Data
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

        static func range(_ key: Data) -> Operation { Operation(range: EtcdRange(key: key)) }

        static func delete(_ key: Data) -> Operation { Operation(delete: EtcdRange(key: key)) }
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
        var start: EtcdNumber
        // Deletions only.
        let filters = ["NOPUT"]

        enum CodingKeys: String, CodingKey {
            case key, filters
            case start = "start_revision"
        }
    }

    var creation: Creation

    enum CodingKeys: String, CodingKey {
        case creation = "create_request"
    }
}

/// Any answer that is an object.
struct EtcdNothing: Decodable {}
