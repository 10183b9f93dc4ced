extension TransportConformance {
    /// The outcome of a suite.
    public struct Report: Sendable {
        /// One requirement's outcome.
        public struct Result: Sendable {
            /// How a requirement counts.
            public enum Outcome: Sendable, Hashable {
                /// It was tried.
                case tried(Verdict)
                /// It is excluded; the verdict is `nil` if it was not tried.
                case excluded(Exclusion, Verdict?)
            }

            /// The requirement's name.
            public let requirement: String
            /// How it counts.
            public let outcome: Outcome
        }

        /// What was tried against what, as in `transport URLSession`.
        public let subject: String
        /// One result a requirement, and one for each exclusion that names none.
        public let results: [Result]

        /// The names of what failed.
        public var failures: [String] {
            results.filter { if case .tried(.failed) = $0.outcome { true } else { false } }
                .map(\.requirement)
        }

        /// The names of what is excluded and passed all the same.
        public var unexpectedPasses: [String] {
            results.filter { if case .excluded(_, .passed) = $0.outcome { true } else { false } }
                .map(\.requirement)
        }

        /// The names of what is excluded.
        public var skipped: [String] {
            results.filter { if case .excluded = $0.outcome { true } else { false } }
                .map(\.requirement)
        }

        /// Whether nothing failed.
        public var isConformant: Bool { failures.isEmpty }

        /// As in `conformance transport URLSession: 98 passed, 0 failed, 4 skipped`.
        public var summary: String {
            let passed = results.count - failures.count - skipped.count
            return
                "conformance \(subject): \(passed) passed, \(failures.count) failed, "
                + "\(skipped.count) skipped"
        }
    }
}

extension TransportConformance.Report: CustomStringConvertible {
    /// A line a requirement, what happened to the exclusions, and the ``summary`` as the last line.
    public var description: String {
        var lines = results.map(\.description)
        for name in unexpectedPasses {
            lines.append("excluded and passes: \(name). Remove the exclusion where this was seen.")
        }
        return (lines + [summary]).joined(separator: "\n")
    }
}

extension TransportConformance.Report.Result: CustomStringConvertible {
    /// As in `passed   sends GET as it is`.
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
