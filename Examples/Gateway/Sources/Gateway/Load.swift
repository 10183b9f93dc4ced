import Foundation
import InterceptorKit
import InterceptorKitCurl
import Synchronization

/// Sends requests at a steady rate, without a retry of its own, until its phase file says `end`.
///
/// The file holds the name of what goes on, as `steady`, `outage` and `recovered`.
struct Load {
    enum Kind: String, CaseIterable, Sendable {
        case read
        case write
    }

    struct Answer: Sendable {
        var phase: String
        var kind: Kind
        /// The status, or in a few words why there is none.
        var outcome: String
        var time: Duration

        /// Reads succeed in any case; a write may be refused, clearly, while a service is away.
        var isRight: Bool {
            switch (kind, phase) {
            case (.read, _): outcome == "200"
            case (.write, "outage"): ["201", "502", "503", "504"].contains(outcome)
            case (.write, _): outcome == "201"
            }
        }
    }

    private let client: HTTP.Client
    private let perSecond: Int
    private let phaseFile: String

    init(_ origin: HTTP.Origin, perSecond: Int, phaseFile: String) throws {
        client = try HTTP.Client(transport: CurlTransport(), timeout: .seconds(15)) {
            BaseURLInterceptor("\(origin)")
        }
        self.perSecond = max(1, perSecond)
        self.phaseFile = phaseFile
    }

    /// Says whether every request was answered as it should be.
    func run() async throws -> Bool {
        let answers = try await withThrowingTaskGroup(of: Answer.self) { group in
            var number = 0
            while number < 60 * perSecond, case let phase = phase, phase != "end" {
                number += 1
                let kind: Kind = number % 5 == 0 ? .write : .read
                group.addTask { [number] in await answer(to: kind, number, in: phase) }
                try await Runtime.live.sleep(for: .seconds(1) / perSecond)
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        report(answers)
        return answers.allSatisfy(\.isRight) && !answers.isEmpty
    }

    private var phase: String {
        let text = try? String(contentsOfFile: phaseFile, encoding: .utf8)
        return text?.trimmingCharacters(in: .whitespacesAndNewlines) ?? "steady"
    }

    private func answer(to kind: Kind, _ number: Int, in phase: String) async -> Answer {
        let start = Runtime.live.now
        let request: HTTP.Request =
            kind == .read ? .get("/orders/\(number % 20)") : .post("/orders", body: "{}")
        var outcome: String
        do {
            let response = try await client.send(request)
            _ = try await response.body.collect()
            outcome = "\(response.status.code)"
        } catch {
            outcome = "\(error)"
        }
        let time = start.duration(to: Runtime.live.now)
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
        print("load: \(answers.count) requests, \(wrong.count) not answered as they should be")
    }
}
