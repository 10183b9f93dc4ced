import Foundation

/// One of the published cache tests: requests in a row, what the origin answers to each, and what each
/// has to come to.
package struct CacheTest: Decodable, Sendable {
    /// How much a case weighs.
    package enum Kind: String, Decodable, Sendable {
        /// What the specification demands.
        case required
        /// What makes a cache a good one.
        case optimal
        /// What is worth knowing, and neither right nor wrong.
        case check
    }

    /// Its name in the published results.
    package let id: String
    /// How much it weighs.
    package let kind: Kind
    /// The cases that have to pass before this one says anything.
    package let dependencies: [String]
    /// Whether it asks for what only caches in front of origins do.
    package let isForCDNs: Bool
    /// Whether no browser can be tried with it.
    package let isNotForBrowsers: Bool
    let steps: [Step]

    private enum CodingKeys: String, CodingKey {
        case id, kind, requests, dependsOn, cdnOnly, browserSkip
    }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        id = try container.decode(String.self, forKey: .id)
        kind = try container.decodeIfPresent(Kind.self, forKey: .kind) ?? .required
        dependencies = try container.decodeIfPresent([String].self, forKey: .dependsOn) ?? []
        isForCDNs = try container.decodeIfPresent(Bool.self, forKey: .cdnOnly) ?? false
        isNotForBrowsers = try container.decodeIfPresent(Bool.self, forKey: .browserSkip) ?? false
        steps = try container.decode([Step].self, forKey: .requests)
    }
}

extension CacheTest {
    /// All cases in their order; `nil` where the vectors are not at hand.
    package static func all() throws -> [CacheTest]? {
        struct Suite: Decodable { let tests: [CacheTest] }
        guard let data = try? Vectors.data("cache-tests/tests.json") else { return nil }
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        return try decoder.decode([Suite].self, from: data).flatMap(\.tests)
    }

    /// Whether each case passed in a published run, by its id: that of `chrome`, for one.
    package static func publishedResults(_ name: String) throws -> [String: Bool] {
        let data = try Vectors.data("cache-tests/results/\(name).json")
        // A case that failed has a list that says why.
        let results = try JSONSerialization.jsonObject(with: data) as? [String: Any] ?? [:]
        return results.mapValues { $0 is Bool }
    }
}
