import Foundation

/// What happened to every call of a run.
final class CallLog: Sendable {
    enum Ending: CaseIterable, Sendable {
        case cancelledBeforeHead, cancelledInBody, dropped, whole, failed
        /// The response was another call's, or its content another length.
        case wrong
    }

    /// One call. A continuation that is resumed twice runs what follows it twice, which these count.
    struct Record: Sendable {
        let answers = Counter()
        let endings = Counter()
    }

    private let records: [Record]
    private let started = Counter()
    private let endings: [Ending: Counter]
    private let failure = FirstText()

    init(calls: Int) {
        records = (0..<calls).map { _ in Record() }
        endings = Dictionary(uniqueKeysWithValues: Ending.allCases.map { ($0, Counter()) })
    }

    var finished: Int { endings.values.reduce(0) { $0 + $1.count } }
    var isFinished: Bool { finished >= records.count }
    var firstFailure: String? { failure.text }

    /// Calls that began and did not end.
    var unanswered: Int {
        records.prefix(min(started.count, records.count)).count { $0.endings.count == 0 }
    }

    /// Calls that were answered or ended more than once, or with what is not theirs.
    var doubled: Int {
        records.count { $0.answers.count > 1 || $0.endings.count > 1 } + count(of: .wrong)
    }

    func count(of ending: Ending) -> Int { endings[ending]?.count ?? 0 }

    /// The number of the next call to make; `nil` when all are made.
    func start() -> Int? {
        let number = started.add()
        return number < records.count ? number : nil
    }

    func noteAnswer(of number: Int) { records[number].answers.add() }

    func note(_ ending: Ending, of number: Int, because error: (any Error)? = nil) {
        if let error { failure.set("\(error)") }
        records[number].endings.add()
        endings[ending]?.add()
    }
}

/// The first of the texts it is given.
private final class FirstText: @unchecked Sendable {
    // Invariant behind `@unchecked Sendable`: touched only while locked. `NSLock`, because Thread
    // Sanitizer sees what it does.
    private var first: String?
    private let lock = NSLock()

    var text: String? { lock.withLock { first } }

    func set(_ text: String) { lock.withLock { first = first ?? text } }
}
