#if HTTPTypes
import Expectations
import HTTPTypes
import InterceptorKit
import InterceptorKitHTTPTypes
import Testing

@Suite("Conversions of fields from HTTPTypes")
struct HeadersHTTPFieldsTests {
    static let values: [[UInt8]] = [[0xEB], Array(" a".utf8), Array("a\t".utf8)]

    @Test("refuse, by name, a field that HTTP.Headers would change", arguments: values)
    func refusesValues(bytes: [UInt8]) throws {
        let name = try unwrap(HTTPField.Name("X-Name"))

        let error = #expect(throws: HTTP.RequestError.self) {
            try HTTP.Headers(HTTPFields([HTTPField(name: name, lenientValue: bytes)]))
        }

        expectEqual(error?.code, .invalidField)
        expectEqual(error?.description.contains("X-Name"), true)
    }
}
#endif
