import Foundation
import InterceptorKit

@testable import InterceptorKitEngine

/// Plays the caller, the engine and the reader within their own rules, and counts the answers.
struct ExchangeWaits {
    private let engine: EngineKind
    private var callerWaited = false
    private var callerAnswers = 0
    private var isStarted = false
    private var isOver = false
    private var stops = 0
    private var uploadEnds = 0
    private var reads = 0
    private var readAnswers = 0
    private var headDelivered = false
    private var isStoring = false
    private var isBatchDue = false
    private var batches = 0

    init(_ engine: EngineKind) { self.engine = engine }

    var problems: [String] {
        var problems: [String] = []
        if callerAnswers != 1 { problems.append("the caller was answered \(callerAnswers) times") }
        if reads != readAnswers { problems.append("\(readAnswers) answers to \(reads) reads") }
        if stops > 1 { problems.append("it was stopped \(stops) times") }
        if uploadEnds > 1 { problems.append("the upload was ended \(uploadEnds) times") }
        if batches > 1 { problems.append("\(batches) batches' ends were awaited at once") }
        return problems
    }

    // Nothing of the engine comes while it stores.
    private var isDelivering: Bool { isStarted && !isOver && !isStoring }

    mutating func event(_ choice: Int) -> ExchangeState.Event? {
        switch choice {
        case 0 where !callerWaited:
            callerWaited = true
            return .callerWaits
        case 1 where isDelivering: return .head(Sample.head)
        case 2...3 where isDelivering: return .chunk(Sample.one)
        case 4 where isDelivering && engine == .pausing: return .receivingPaused
        case 5 where isDelivering:
            isOver = true
            return Sample.done
        case 6: return .callerCancelled
        case 7: return .deadlinePassed
        case 8...9 where headDelivered && reads == readAnswers:
            reads += 1
            return .readerWaits
        case 10 where headDelivered: return .readerLeft
        case 11: return .failed(.closed)
        case 12 where isDelivering && isBatchDue:
            isBatchDue = false
            return .batchEnded
        case 13 where isStoring:
            isStoring = false
            return .stored(reads % 3 == 0 ? Sample.fullDisk : nil)
        default: return nil
        }
    }

    mutating func note(_ effects: ExchangeState.Effects) {
        if let caller = effects.caller {
            callerAnswers += 1
            if case .success = caller { headDelivered = true }
        }
        if effects.reader != nil { readAnswers += 1 }
        if effects.stored != nil { isStoring = true }
        let commands = effects.commands
        if commands.contains(.start) { isStarted = true }
        if commands.contains(.stop) { stops += 1 }
        if commands.contains(.endUpload) { uploadEnds += 1 }
        if commands.contains(.awaitBatch) {
            batches = max(batches, isBatchDue ? 2 : 1)
            isBatchDue = true
        }
    }

    /// What is bound to come, comes.
    mutating func finish(_ state: inout ExchangeState) {
        if !callerWaited, let event = event(0) { note(state.handle(event)) }
        if isStoring { note(state.handle(.stored(nil))) }
        if isStarted, !isOver { note(state.handle(Sample.broken)) }
        if isBatchDue { note(state.handle(.batchEnded)) }
    }
}
