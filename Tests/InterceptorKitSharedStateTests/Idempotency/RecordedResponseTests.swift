import Expectations
import InterceptorKit
import Testing

@testable import InterceptorKitSharedState

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

@Suite("RecordedResponse")
struct RecordedResponseTests {
    private let made = HTTP.Response(201, headers: ["Location": "/orders/1"], body: .text("made"))

    @Test("is read back as it was written, and by no other byte")
    func changed() async throws {
        let record = try await RecordedResponse.record(of: made, upTo: 100)
        let read = try unwrap(RecordedResponse(record).response)
        var accepted: [Int] = []
        for place in record.indices {
            var changed = record
            changed[place] ^= 0x01
            if (try? RecordedResponse(changed)) != nil { accepted.append(place) }
        }

        expectEqual(read.status, 201)
        expectEqual(read.headers, made.headers)
        try await expectEqual(read.text(), "made")
        // A byte of the name of the checksum makes a record of a version that knew none.
        let name = try unwrap(record.firstRange(of: Data("sha256".utf8)))
        expectTrue(accepted.allSatisfy(name.contains), "\(accepted)")
    }

    @Test(
        "is refused if it cannot be a response",
        arguments: [
            (#"{"fields":[],"hasContent":true,"status":200,"version":1}"#, true),
            (#"{"fields":[],"hasContent":true,"status":65536,"version":1}"#, false),
            (#"{"fields":[],"hasContent":true,"status":101,"version":1}"#, false),
            (#"{"fields":[],"hasContent":true,"status":-1,"version":1}"#, false),
            (#"{"fields":["a b","x"],"hasContent":true,"status":200,"version":1}"#, false),
            (#"{"fields":["a","x\r\nb: y"],"hasContent":true,"status":200,"version":1}"#, false),
        ]
    )
    func impossible(head: String, isAccepted: Bool) {
        let record = Data("\(head)\nmade".utf8)

        expectEqual((try? RecordedResponse(record)) != nil, isAccepted)
    }

    @Test("of a response that could not be read back has no content")
    func unreadable() async throws {
        for response in [
            HTTP.Response(HTTP.Status(65536)), HTTP.Response(200, headers: ["a b": "c"]),
        ] {
            let record = try await RecordedResponse.record(of: response, upTo: 100)

            try expectTrue(RecordedResponse(record).response == nil)
        }
    }
}
