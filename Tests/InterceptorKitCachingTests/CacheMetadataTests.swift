import Expectations
import Testing

@testable import InterceptorKit
@testable import InterceptorKitCaching

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

@Suite("CacheMetadata")
struct CacheMetadataTests {
    private static let arrival = Date(timeIntervalSince1970: 784_200_000)
    // Sun, 06 Nov 1994 08:49:37 GMT.
    private static let stated = Date(timeIntervalSince1970: 784_111_777)

    private func metadata(_ fields: [(String, String)]) -> CacheMetadata {
        CacheMetadata(HTTP.Headers(fields), responseDate: Self.arrival)
    }

    @Test(
        "the first member of Age counts, and as none if it is no number",
        arguments: [
            (["5"], 5), (["5, 9"], 5), (["5", "9"], 5), (["x, 9"], 0), (["x", "9"], 0),
            (["-5"], 0), (["1.5"], 0), ([""], 0), ([], 0),
            (["99999999999999999999"], Int.max),
        ]
    )
    func age(values: [String], expected: Int) {
        expectEqual(metadata(values.map { ("Age", $0) }).age, expected)
    }

    @Test(
        "a date is read with letters in any case",
        arguments: [
            "Sun, 06 Nov 1994 08:49:37 GMT", "sun, 06 nov 1994 08:49:37 gmt",
            "SUN, 06 NOV 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT",
        ]
    )
    func dates(text: String) {
        let metadata = metadata([("Date", text), ("Last-Modified", text)])

        expectEqual(metadata.date, Self.stated)
        expectEqual(metadata.lastModified, Self.stated)
    }

    @Test("a date that is missing, unreadable or there twice is none")
    func noDate() {
        let twice = Array(repeating: ("Date", "Sun, 06 Nov 1994 08:49:37 GMT"), count: 2)

        for fields in [[], [("Date", "0")], twice] {
            expectEqual(metadata(fields).date, Self.arrival)
        }
        expectEqual(metadata([("Last-Modified", "soon")]).lastModified, nil)
    }

    @Test("an Expires that nobody can read differs from one that isn't there")
    func expires() {
        func word(_ values: [String]) -> String {
            switch metadata(values.map { ("Expires", $0) }).expires {
            case .unstated: "unstated"
            case .unreadable: "unreadable"
            case .at(let date): date == Self.stated ? "at the time stated" : "at \(date)"
            }
        }
        let date = "Sun, 06 Nov 1994 08:49:37 GMT"

        expectEqual(word([]), "unstated")
        expectEqual(word([date]), "at the time stated")
        for values in [["0"], [""], [date, date]] { expectEqual(word(values), "unreadable") }
    }
}
