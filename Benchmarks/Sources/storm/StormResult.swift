import Reporting

/// What one run came to.
struct StormResult: CustomStringConvertible {
    /// What was not let go of.
    struct Held {
        var calls = 0
        var bodies = 0
        var tasks = 0
        var files = 0

        var count: Int { calls + bodies + tasks + files }
    }

    let seed: UInt64
    let time: Duration
    let log: CallLog
    let lost: Int
    let held: Held
    let residentMemory: Int

    var failure: String? { log.firstFailure }

    var description: String {
        let endings = CallLog.Ending.allCases.map { "\(log.count(of: $0)) \($0.words)" }
        var lines = [
            "seed \(seed), \(time.inSeconds.text(digits: 1)) s, \(residentMemory >> 20) MiB: "
                + endings.joined(separator: ", ")
        ]
        if held.count > 0 {
            lines.append(
                "  left: \(held.calls) calls, \(held.bodies) bodies, \(held.tasks) tasks, "
                    + "\(held.files) file descriptors"
            )
        }
        if let failure { lines.append("  first failure: \(failure)") }
        return lines.joined(separator: "\n")
    }
}

extension StormResult {
    /// What all runs came to.
    struct Sum: CustomStringConvertible {
        private var calls = 0
        private var lost = 0
        private var doubled = 0
        private var held = 0
        private var failed = 0

        /// Whether every call ended once, as it should, and nothing is left.
        var isClean: Bool { lost + doubled + held + failed == 0 }

        mutating func add(_ result: StormResult) {
            calls += result.log.finished + result.lost
            lost += result.lost
            doubled += result.log.doubled
            held += result.held.count
            failed += result.log.count(of: .failed)
        }

        var description: String {
            let failures = failed == 0 ? "" : "storm: \(failed) calls failed\n"
            return failures
                + "storm: \(calls) calls, \(lost) lost, \(doubled) doubled, \(held) left"
        }
    }
}

extension CallLog.Ending {
    fileprivate var words: String {
        switch self {
        case .cancelledBeforeHead: "cancelled before the head"
        case .cancelledInBody: "in the body"
        case .dropped: "dropped"
        case .whole: "whole"
        case .failed: "failed"
        case .wrong: "wrong"
        }
    }
}
