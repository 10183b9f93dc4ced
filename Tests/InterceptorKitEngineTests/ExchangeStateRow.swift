import Foundation
import InterceptorKit
import Testing

@testable import InterceptorKitEngine

/// One row of a table: what has happened, what happens now, what must follow.
struct ExchangeStateRow: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let before: [ExchangeState.Event]
    let event: ExchangeState.Event
    let effects: [String]

    init(
        _ name: String,
        after before: [ExchangeState.Event],
        _ event: ExchangeState.Event,
        _ effects: String...
    ) {
        testDescription = name
        self.before = before
        self.event = event
        self.effects = effects
    }

    /// What follows with an engine of this kind.
    func actual(_ engine: EngineKind) -> [String] {
        var state = engine.state
        for event in before { _ = state.handle(event) }
        return state.handle(event).names
    }
}

/// What engines do with a reader that is slower than they are, and when they wake it.
enum EngineKind: Sendable, CaseIterable {
    case pausing
    case storing
    /// Stores, and wakes when it has handed out what it had at hand.
    case batching

    /// One that keeps 20,000 bytes in memory.
    var state: ExchangeState {
        let files = self == .pausing ? nil : 10_000
        return ExchangeState(
            limits: .init(memory: 20_000, files: files),
            waitsForBatches: self == .batching
        )
    }
}

enum Sample {
    static let head = ResponseHead(status: 200, headers: ["X-A": "1"])
    // Large enough not to be joined.
    static let one = Data(repeating: 1, count: 10_000)
    static let two = Data(repeating: 2, count: 10_000)
    static let three = Data(repeating: 3, count: 10_000)
    static let lost = Failure.engine(Lost())
    static let fullDisk = Failure.engine(FullDisk())
    static let sent: [ExchangeState.Event] = [.callerWaits]
    static let receiving: [ExchangeState.Event] = sent + [.head(head)]
    static let full: [ExchangeState.Event] = receiving + [.chunk(one), .chunk(two)]
    static let done = ExchangeState.Event.completed(.init())
    static let broken = ExchangeState.Event.completed(.init(lost))
    static let early = ExchangeState.Event.completed(.init(isEarly: true))

    private struct Lost: Error, CustomStringConvertible { let description = "lost" }
    private struct FullDisk: Error, CustomStringConvertible { let description = "full disk" }
}

extension ExchangeState.Effects {
    /// All but the end of the upload, which comes with each failure.
    var names: [String] {
        var names: [String] = []
        switch caller {
        case .success(let head): names.append("caller \(head.status.code)")
        case .failure(let failure): names.append("caller \(failure.name)")
        case nil: break
        }
        switch reader {
        case .success(let segment): names.append("reader \(segment?.name ?? "end")")
        case .failure(let failure): names.append("reader \(failure.name)")
        case nil: break
        }
        if let stored { names.append("store \(stored.chunk.name) in \(stored.region.name)") }
        let all: [(ExchangeState.Commands, String)] = [
            (.start, "start"), (.resumeReceiving, "resumeReceiving"), (.awaitBatch, "awaitBatch"),
            (.dropFiles, "dropFiles"), (.stop, "stop"),
        ]
        return names + all.filter { commands.contains($0.0) }.map(\.1)
    }
}

extension Failure {
    fileprivate var name: String {
        if case .engine(let error) = self { "\(error)" } else { "\(self)" }
    }
}

extension ReceiveBuffer.Segment {
    fileprivate var name: String {
        switch self {
        case .chunk(let chunk): chunk.name
        case .file(let region): region.name
        }
    }
}

extension ReceiveBuffer.Region {
    fileprivate var name: String { "\(file):\(range)" }
}

extension Data {
    fileprivate var name: String { first.map { ["one", "two", "three"][Int($0) - 1] } ?? "none" }
}
