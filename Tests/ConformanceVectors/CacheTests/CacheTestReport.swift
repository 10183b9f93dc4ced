/// What came of trying many cases.
package struct CacheTestReport: Sendable {
    private let tests: [CacheTest]
    private let verdicts: [String: CacheTest.Verdict]

    /// Tries the cases that are for a client's cache, one after the other.
    /// - Parameters:
    ///   - tests: All cases. Those with a reason in ``CacheTest/exclusion`` are left out.
    ///   - verdict: Tries one.
    package init(
        _ tests: [CacheTest],
        verdict: (CacheTest) async throws -> CacheTest.Verdict
    ) async throws {
        self.tests = tests
        var verdicts: [String: CacheTest.Verdict] = [:]
        for test in tests where test.exclusion == nil {
            verdicts[test.id] = try await verdict(test)
        }
        self.verdicts = verdicts
    }

    /// The cases that passed, whatever came of those they depend on: what published results count.
    package var passed: Set<String> {
        Set(verdicts.filter(\.value.isPass).keys)
    }

    /// One line with the numbers for a kind. A pass only counts where what it depends on has passed.
    package func summary(of kind: CacheTest.Kind, over way: String? = nil) -> String {
        let ids = tests.filter { $0.kind == kind }.map(\.id)
        let tried = ids.filter { verdicts[$0] != nil }
        let passed = tried.count { isPass($0) }
        let name = "cache-\(kind.rawValue)" + (way.map { " \($0)" } ?? "")
        return "conformance \(name): \(passed) passed, \(tried.count - passed) failed, "
            + "\(ids.count - tried.count) skipped"
    }

    /// What came out otherwise than written down, one line each: a required or optimal case that did not
    /// pass and is not listed, or one that is and did.
    /// - Parameter departures: Why cases do not pass, by their ids.
    package func surprises(beside departures: [String: String]) -> [String] {
        tests.filter { $0.kind != .check }.map(\.id).compactMap { id in
            switch (verdicts[id], departures[id]) {
            case (.passed?, _?): "\(id) passes although it is listed as one that does not"
            case (.failed(let why)?, nil): "\(id) failed: \(why)"
            case (.unprepared(let why)?, nil): "\(id) could not be tried: \(why)"
            case (nil, _?): "\(id) is listed and was not tried"
            default: nil
            }
        }
    }

    private func isPass(_ id: String) -> Bool {
        guard verdicts[id]?.isPass == true else { return false }
        let dependencies = tests.first { $0.id == id }?.dependencies ?? []
        return dependencies.allSatisfy { verdicts[$0] == nil || isPass($0) }
    }
}
