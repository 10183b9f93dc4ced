import Foundation
import InterceptorKit
import InterceptorKitCurl
import Synchronization

/// Sends requests at a steady rate, without a retry of its own, until its phase file says `end`.
///
/// The file holds the name of what goes on.
struct Load {
    enum Phase: String, Comparable, Sendable {
        case steady
        case outage
        case recovered
        case fallback
        case end

        private static let order: [Phase] = [.steady, .outage, .recovered, .fallback, .end]

        static func < (first: Phase, second: Phase) -> Bool {
            order.firstIndex(of: first) ?? 0 < order.firstIndex(of: second) ?? 0
        }

        /// What a request counts as that was under way from one phase to another.
        init(from first: Phase, to last: Phase) {
            self = first <= .outage && .outage <= last ? .outage : first
        }
    }

    enum Kind: String, CaseIterable, Sendable {
        case read
        case write
    }

    struct Answer: Sendable {
        var phase: Phase
        var kind: Kind
        /// The status, or in a few words why there is none.
        var outcome: String
        var time: Duration

        /// Reads succeed in any case; a write may be refused, clearly, while a service is away.
        var isRight: Bool {
            switch (kind, phase) {
            case (.read, _): outcome == "200"
            case (.write, .outage): ["201", "502", "503", "504"].contains(outcome)
            case (.write, _): outcome == "201"
            }
        }
    }

    private final class UnderWay: Sendable {
        let count = Atomic(0)
    }

    /// How many requests are under way at most.
    private static let limit = 100

    private let client: HTTP.Client
    private let perSecond: Int
    private let phaseFile: String

    init(_ origin: HTTP.Origin, perSecond: Int, phaseFile: String) throws {
        client = try HTTP.Client(transport: CurlTransport(), timeout: .seconds(30)) {
            BaseURLInterceptor("\(origin)")
        }
        self.perSecond = max(1, perSecond)
        self.phaseFile = phaseFile
    }

    /// Says whether every request was answered as it should be.
    func run() async throws -> Bool {
        let underWay = UnderWay()
        let answers = try await withThrowingTaskGroup(of: Answer.self) { group in
            var number = 0
            while number < 300 * perSecond, case let phase = phase, phase != .end {
                number += 1
                // A machine that cannot keep up is asked for less, not forever more at once.
                while underWay.count.load(ordering: .relaxed) >= Self.limit {
                    try await Runtime.live.sleep(for: .milliseconds(10))
                }
                let kind: Kind = number % 5 == 0 ? .write : .read
                underWay.count.add(1, ordering: .relaxed)
                group.addTask { [number] in
                    defer { underWay.count.subtract(1, ordering: .relaxed) }
                    return await answer(to: kind, number, in: phase)
                }
                try await Runtime.live.sleep(for: .seconds(1) / perSecond)
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        report(answers)
        return answers.allSatisfy(\.isRight) && !answers.isEmpty
    }

    private var phase: Phase {
        let text = try? String(contentsOfFile: phaseFile, encoding: .utf8)
        return text.flatMap { Phase(rawValue: $0.trimmingCharacters(in: .whitespacesAndNewlines)) }
            ?? .steady
    }

    private func answer(to kind: Kind, _ number: Int, in first: Phase) async -> Answer {
        let start = Runtime.live.now
        let request: HTTP.Request =
            kind == .read
            ? .get("/orders/\(number % 20)")
            : .post("/orders", headers: ["Content-Type": "application/json"], body: "{}")
        var outcome: String
        do {
            let response = try await client.send(request)
            _ = try await response.body.collect()
            outcome = "\(response.status.code)"
        } catch {
            outcome = "\(error)"
        }
        let time = start.duration(to: Runtime.live.now)
        let phase = Phase(from: first, to: self.phase)
        return Answer(phase: phase, kind: kind, outcome: outcome, time: time)
    }

    private func report(_ answers: [Answer]) {
        for (phase, answers) in Dictionary(grouping: answers, by: \.phase).sorted(by: {
            $0.key < $1.key
        }) {
            for kind in Kind.allCases {
                let found = answers.filter { $0.kind == kind }
                let times = found.map { $0.time / .milliseconds(1) }.sorted()
                guard let longest = times.last else { continue }
                let outcomes = Dictionary(grouping: found, by: \.outcome)
                    .map { "\($0.value.count) × \($0.key)" }.sorted()
                print(
                    "load: \(phase) \(kind)s: \(outcomes.joined(separator: ", ")); median "
                        + "\(Int(times[times.count / 2])) ms, longest \(Int(longest)) ms"
                )
            }
        }
        let wrong = answers.filter { !$0.isRight }
        for answer in wrong.prefix(10) {
            print("load: wrong: a \(answer.kind) in \(answer.phase) got \(answer.outcome)")
        }
        let lost = answers.count { Int($0.outcome) == nil }
        print("load: \(answers.count) requests, \(wrong.count) wrong, \(lost) of them lost")
    }
}
