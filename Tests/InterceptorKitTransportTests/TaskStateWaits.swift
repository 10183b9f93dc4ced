import Foundation
import InterceptorKit

@testable import InterceptorKitTransport

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Plays the caller, the engine and the reader within their own rules, and counts the answers.
struct Waits {
    private var callerWaited = false
    private var callerAnswers = 0
    private var taskExists = false
    private var taskRequested = false
    private var taskStarted = false
    private var taskOver = false
    private var cancels = 0
    private var forgets = 0
    private var reads = 0
    private var readAnswers = 0
    private var headDelivered = false

    var problems: [String] {
        var problems: [String] = []
        if callerAnswers != 1 { problems.append("the caller was answered \(callerAnswers) times") }
        if reads != readAnswers { problems.append("\(readAnswers) answers to \(reads) reads") }
        if cancels > 1 { problems.append("the task was cancelled \(cancels) times") }
        if taskExists == (forgets == 1) { problems.append("forgotten \(forgets) times") }
        return problems
    }

    mutating func event(_ choice: Int) -> TaskState.Event? {
        switch choice {
        case 0 where !callerWaited:
            callerWaited = true
            return .callerWaits
        case 1 where taskRequested && !taskExists:
            taskExists = true
            return .taskMade
        case 2 where taskStarted && !taskOver: return .head(ResponseHead(status: 200, headers: [:]))
        case 3 where taskStarted && !taskOver: return .chunk(Data("one".utf8))
        case 4 where taskStarted && !taskOver:
            return .challenge(ResponseHead(status: 401, headers: [:]))
        case 5 where taskStarted && !taskOver:
            taskOver = true
            return .completed(URLError(.networkConnectionLost))
        case 6: return .callerCancelled
        case 7: return .deadlinePassed
        case 8 where headDelivered && reads == readAnswers:
            reads += 1
            return .readerWaits
        case 9 where headDelivered: return .readerLeft
        case 10: return .closed
        default: return nil
        }
    }

    mutating func note(_ actions: [TaskState.Action]) {
        for action in actions {
            switch action {
            case .makeTask: taskRequested = true
            case .startTask: taskStarted = true
            case .deliverHead:
                callerAnswers += 1
                headDelivered = true
            case .failCaller: callerAnswers += 1
            case .deliverChunk, .deliverEnd, .failReader: readAnswers += 1
            case .cancelTask: cancels += 1
            case .forget: forgets += 1
            }
        }
    }

    /// What is bound to come, comes.
    mutating func finish(_ state: inout TaskState) {
        if !callerWaited, let event = event(0) { note(state.handle(event)) }
        if let event = event(1) { note(state.handle(event)) }
        if taskExists, !taskOver { note(state.handle(.completed(URLError(.cancelled)))) }
    }
}
