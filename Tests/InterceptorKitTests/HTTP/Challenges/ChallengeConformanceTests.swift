import ConformanceVectors
import Expectations
import Foundation
import InterceptorKit
import TestRun
import TestSupport
import Testing

@Suite(
    "Challenges of the published test cases",
    .tags(.vectors),
    .vectors("auth/www-authenticate.json")
)
struct ChallengeConformanceTests {
    private struct File: Decodable {
        var cases: [Row]
    }

    private struct Row: Decodable {
        var id: String
        var fieldValues: [String]
        var expected: [Expected]?
    }

    private struct Expected: Decodable {
        var scheme: String
        var params: [[String]]
        var token68: String?
    }

    @Test("are parsed as greenbytes and the RFCs say")
    func rows() throws {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        let file = try decoder.decode(File.self, from: Vectors.data("auth/www-authenticate.json"))
        var conformance = Conformance("www-authenticate")

        for row in file.cases {
            let challenges = try? HTTP.Challenge.parse(row.fieldValues)
            let isRight =
                switch (challenges, row.expected) {
                case (nil, nil): true
                case (let challenges?, let expected?):
                    challenges.map { $0.scheme.lowercased() } == expected.map(\.scheme)
                        && challenges.map(\.token68) == expected.map(\.token68)
                        && challenges.map { $0.parameters.map { [$0.name, $0.value] } }
                            == expected.map(\.params)
                default: false
                }
            conformance.note(isRight, row.id)
        }

        print(conformance.summary)
        expectEqual(conformance.failures, [])
        expectEqual(conformance.passed, 39)
    }
}
