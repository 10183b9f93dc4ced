extension TransportConformance {
    /// The outcome of a suite.
    public struct Report: Sendable {
        /// The result of one requirement.
        public struct Result: Sendable {
            /// The outcome of one requirement.
            public enum Outcome: Sendable, Hashable {
                /// The requirement was tried.
                case tried(TestResult)
                /// The requirement is excluded; the result is `nil` if it was not tried.
                case excluded(Exclusion, TestResult?)
            }

            /// The requirement's name.
            public let requirement: String
            /// The outcome.
            public let outcome: Outcome
        }

        /// The kind and name of the tested object, as in `transport URLSession`.
        public let subject: String
        /// One result for each requirement, and one for each exclusion that matches no requirement.
        public let results: [Result]

        /// The names of the failed requirements.
        public var failures: [String] {
            results.filter { if case .tried(.failed) = $0.outcome { true } else { false } }
                .map(\.requirement)
        }

        /// The names of excluded requirements that passed.
        public var unexpectedPasses: [String] {
            results.filter { if case .excluded(_, .passed) = $0.outcome { true } else { false } }
                .map(\.requirement)
        }

        /// The names of excluded requirements.
        public var skipped: [String] {
            results.filter { if case .excluded = $0.outcome { true } else { false } }
                .map(\.requirement)
        }

        /// Whether no requirement failed.
        public var isConformant: Bool { failures.isEmpty }

        /// The counts, as in `conformance transport URLSession: 98 passed, 0 failed, 4 skipped`.
        public var summary: String {
            let passed = results.count - failures.count - skipped.count
            return
                "conformance \(subject): \(passed) passed, \(failures.count) failed, "
                + "\(skipped.count) skipped"
        }
    }
}

extension TransportConformance.Report: CustomStringConvertible {
    /// A line for each requirement, the state of the exclusions, and the ``summary`` as the last line.
    public var description: String {
        var lines = results.map(\.description)
        for name in unexpectedPasses {
            lines.append("excluded and passes: \(name). Remove the exclusion where this was seen.")
        }
        return (lines + [summary]).joined(separator: "\n")
    }
}

extension TransportConformance.Report.Result: CustomStringConvertible {
    /// The result as text, as in `passed   sends GET as it is`.
    public var description: String {
        switch outcome {
        case .tried(.passed): "passed   \(requirement)"
        case .tried(.failed(let reason)): "FAILED   \(requirement): \(reason)"
        case .excluded(let exclusion, nil): "skipped  \(requirement): \(exclusion) Not tried."
        case .excluded(let exclusion, .passed): "skipped  \(requirement): \(exclusion) It passed."
        case .excluded(let exclusion, .failed(let reason)):
            "skipped  \(requirement): \(exclusion) Tried: \(reason)"
        }
    }
}
