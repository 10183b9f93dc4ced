import Foundation
import InterceptorKit

@testable import InterceptorKitCurl

/// Plays the caller, the loop and the reader within their own rules, and counts the answers.
struct TransferWaits {
    private var callerWaited = false
    private var callerAnswers = 0
    private var isStarted = false
    private var isOver = false
    private var stops = 0
    private var reads = 0
    private var readAnswers = 0
    private var headDelivered = false

    var problems: [String] {
        var problems: [String] = []
        if callerAnswers != 1 { problems.append("the caller was answered \(callerAnswers) times") }
        if reads != readAnswers { problems.append("\(readAnswers) answers to \(reads) reads") }
        if stops > 1 { problems.append("it was stopped \(stops) times") }
        return problems
    }

    mutating func event(_ choice: Int) -> RequestState.Event? {
        switch choice {
        case 0 where !callerWaited:
            callerWaited = true
            return .callerWaits
        case 1 where isStarted && !isOver: return .head(ResponseHead(status: 200, headers: [:]))
        case 2 where isStarted && !isOver: return .chunk(Data("one".utf8))
        case 3 where isStarted && !isOver: return .receivingPaused
        case 4 where isStarted && !isOver:
            isOver = true
            return .completed(nil, trailers: nil)
        case 5: return .callerCancelled
        case 6: return .deadlinePassed
        case 7 where headDelivered && reads == readAnswers:
            reads += 1
            return .readerWaits
        case 8 where headDelivered: return .readerLeft
        case 9: return .closed
        case 10 where isStarted && !isOver: return .failed(.silent)
        default: return nil
        }
    }

    mutating func note(_ effects: RequestState.Effects) {
        if let caller = effects.caller {
            callerAnswers += 1
            if case .success = caller { headDelivered = true }
        }
        if effects.reader != nil { readAnswers += 1 }
        switch effects.command {
        case .start: isStarted = true
        case .stop: stops += 1
        case .resumeReceiving, nil: break
        }
    }

    /// What is bound to come, comes.
    mutating func finish(_ state: inout RequestState) {
        if !callerWaited, let event = event(0) { note(state.handle(event)) }
        if isStarted, !isOver { note(state.handle(.completed(.silent, trailers: nil))) }
    }
}
