import InterceptorKit
import InterceptorKitSharedState

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The record of an idempotent request in etcd: a line of JSON, then the response once there is one.
struct EtcdIdempotencyRecord {
    struct Head: Codable {
        var format = 1
        var fingerprint: Data
        /// The token with which the response was recorded; `nil` until then.
        var token: Int64?
    }

    var head: Head
    var response = Data()

    init(fingerprint: Data) { head = Head(fingerprint: fingerprint) }

    init(_ value: Data?) throws(StoreError) {
        guard let value, let end = value.firstIndex(of: UInt8(ascii: "\n")),
            let head = try? JSONDecoder().decode(Head.self, from: value[..<end]), head.format == 1
        else {
            throw StoreError(
                .malformedRecord,
                "The value of an etcd key for idempotency records is not such a record. It was not changed. "
                    + "Remove it, or use another prefix."
            )
        }
        self.head = head
        response = Data(value[(end + 1)...])
    }

    func value() throws -> Data {
        try JSONEncoder().encode(head) + [UInt8(ascii: "\n")] + response
    }
}

/// A record and its holder, as read from etcd.
struct EtcdIdempotencyState {
    /// The record; `nil` if the key is free.
    let record: EtcdIdempotencyRecord?
    /// The entry of the record.
    let entry: EtcdEntry?
    /// The entry of the holder, which ends with its lease.
    let holder: EtcdEntry?

    /// - Parameter entries: The entries of the record and the holder.
    init(_ entries: [EtcdEntry?]) throws(StoreError) {
        entry = entries.first.flatMap(\.self)
        holder = entries.dropFirst().first.flatMap(\.self)
        if let entry { record = try EtcdIdempotencyRecord(entry.value) } else { record = nil }
    }

    func isHeld(by lease: IdempotencyLease) -> Bool {
        holder?.modified.value == lease.token && record?.head.token == nil
    }
}
