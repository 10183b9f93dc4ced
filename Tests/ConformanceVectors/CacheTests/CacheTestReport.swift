/// The outcome of trying many cases.
package struct CacheTestReport: Sendable {
    private let tests: [CacheTest]
    private let results: [String: CacheTest.TestResult]

    /// Tries the cases that are for a client's cache, one after the other.
    /// - Parameters:
    ///   - tests: All cases. Those with a reason in ``CacheTest/exclusion`` are left out.
    ///   - result: Tries one.
    package init(
        _ tests: [CacheTest],
        result: (CacheTest) async throws -> CacheTest.TestResult
    ) async throws {
        self.tests = tests
        var results: [String: CacheTest.TestResult] = [:]
        for test in tests where test.exclusion == nil {
            results[test.id] = try await result(test)
        }
        self.results = results
    }

    /// The cases that passed to the letter, whatever came of those they depend on: what published
    /// results count.
    package var passed: Set<String> {
        Set(results.filter { $0.value == .passed }.keys)
    }

    /// One line with the numbers for a kind. What depends on a case that did not pass says nothing, and
    /// counts as skipped.
    package func summary(of kind: CacheTest.Kind, over way: String? = nil) -> String {
        let all = tests.filter { $0.kind == kind }
        let telling = all.filter { results[$0.id] != nil && isPrepared($0) }
        let passed = telling.count(where: isMet)
        let name = "cache-\(kind.rawValue)" + (way.map { " \($0)" } ?? "")
        return "conformance \(name): \(passed) passed, \(telling.count - passed) failed, "
            + "\(all.count - telling.count) skipped"
    }

    /// What came out otherwise than written down, one line each: a required or optimal case that did not
    /// pass and is not listed, or one that is and did.
    /// - Parameter departures: Why cases do not pass, by their ids.
    package func surprises(beside departures: [String: String]) -> [String] {
        tests.filter { $0.kind != .check }.compactMap { test in
            let id = test.id
            switch (results[id], departures[id]) {
            case (nil, nil): return nil
            case (nil, _?): return "\(id) is listed and was not tried"
            case (let result?, let departure):
                if isMet(test) == (departure == nil) { return nil }
                return isMet(test)
                    ? "\(id) passes although it is listed as one that does not"
                    : "\(id): \(result)"
            }
        }
    }

    /// Whether all that a case depends on came out as it should.
    private func isPrepared(_ test: CacheTest) -> Bool {
        tests.allSatisfy { other in
            !test.dependencies.contains(other.id) || results[other.id] == nil
                || isMet(other) && isPrepared(other)
        }
    }

    private func isMet(_ test: CacheTest) -> Bool {
        switch results[test.id] {
        case .passed: true
        case .threw: test.isMetByThrowing
        default: false
        }
    }
}
