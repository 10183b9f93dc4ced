import Expectations
import Foundation
import Testing

@testable import InterceptorKitEtcd

@Suite("Messages of etcd's gateway")
struct EtcdMessagesTests {
    private func decode<Value: Decodable>(_ type: Value.Type, _ text: String) throws -> Value {
        try JSONDecoder().decode(type, from: Data(text.utf8))
    }

    @Test(
        "have numbers in quotes or without, of 64 bits",
        arguments: [
            ("\"9223372036854775807\"", Int64.max), ("\"-1\"", -1), ("7", 7), ("\"0\"", 0),
        ]
    )
    func numbers(text: String, value: Int64) throws {
        try expectEqual(decode(EtcdNumber.self, text).value, value)
    }

    @Test(
        "are refused with what is no such number",
        arguments: ["\"9223372036854775808\"", "\"\"", "\"1.5\"", "1.5", "null", "true"]
    )
    func noNumber(text: String) {
        #expect(throws: DecodingError.self) { try decode(EtcdNumber.self, text) }
    }

    @Test("write numbers in quotes, and keys and values in base64")
    func transaction() throws {
        let key = Data("k".utf8)
        let operation = EtcdTransaction.Operation.put(key, Data([0xFF]), lease: EtcdNumber(.max))
        let transaction = EtcdTransaction(
            compare: [.init(key: key, revision: EtcdNumber(0))],
            success: [operation]
        )
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]

        let text = String(decoding: try encoder.encode(transaction), as: UTF8.self)

        let comparison = #"{"key":"aw==","mod_revision":"0","result":"EQUAL","target":"MOD"}"#
        let put = #"{"key":"aw==","lease":"9223372036854775807","value":"/w=="}"#
        let expected =
            #"{"compare":[\#(comparison)],"failure":[],"success":[{"request_put":\#(put)}]}"#
        expectEqual(text, expected)
    }

    @Test("have an entry for each read, found or not, and none for writes")
    func entries() throws {
        let found = #"{"response_range":{"kvs":[{"key":"aw==","mod_revision":"3"}]}}"#
        let parts = #"{"response_range":{}},{"response_put":{}},\#(found)"#
        let answer = try decode(
            EtcdTransaction.Response.self,
            #"{"header":{"revision":"4"},"responses":[\#(parts)]}"#
        )
        let empty = try decode(EtcdTransaction.Response.self, #"{"header":{"revision":"4"}}"#)

        expectEqual(answer.entries.map { $0?.modified }, [nil, EtcdNumber(3)])
        expectEqual(answer.entries.last??.value, nil)
        expectTrue(empty.entries.isEmpty)
    }
}
