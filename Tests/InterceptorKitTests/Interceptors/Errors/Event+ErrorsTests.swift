import Expectations
import TestSupport
import Testing

@testable import InterceptorKit

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

@Suite("Events of errors")
struct EventErrorsTests {
    @Test("say what content was at fault, and nothing of its values")
    func content() throws {
        struct Order: Decodable {
            struct Item: Decodable { var price: Int }

            var items: [Item]
        }
        let text = #"{"items":[{"price":1},{"price":"s3cret"}]}"#

        let error = try #require(throws: DecodingError.self) {
            try JSONDecoder().decode(Order.self, from: Data(text.utf8))
        }
        let failure: HTTP.DecodingFailure? = HTTP.DecodingFailure(error, decoding: Order.self)

        expectEqual(
            failure.attributes(or: error),
            [
                "type": .text("Order"), "path": .text("items[1].price"),
                "reason": .text("mismatch"),
            ]
        )
    }

    @Test("name the type of any other error, and nothing that it says")
    func others() {
        let failure: HTTP.DecodingFailure? = nil

        let attributes = failure.attributes(or: Problem(text: "s3cret"))

        expectEqual(attributes, ["error.type": .text("Problem")])
    }
}
