import InterceptorKit
import Synchronization

/// Notes what happened, in order, from any task.
final class Recorder<Entry: Sendable>: Sendable {
    private let notes = Mutex<[Entry]>([])

    var entries: [Entry] { notes.withLock { $0 } }

    func note(_ entry: Entry) { notes.withLock { $0.append(entry) } }
}

/// Notes its name on the way down and on the way up.
struct Marker<Input: Interceptable>: Interceptor {
    let name: String
    let recorder: Recorder<String>
    var placement: Placement?

    init(_ name: String, _ recorder: Recorder<String>, placement: Placement? = nil) {
        self.name = name
        self.recorder = recorder
        self.placement = placement
    }

    func intercept(chain: InterceptorChain<Input>) async throws -> Input.Output {
        recorder.note("\(name)>")
        let output = try await chain.proceed()
        recorder.note("<\(name)")
        return output
    }
}

/// Answers every input with itself, or with what a closure makes of it.
struct Echo<Input: Interceptable>: Transport where Input.Output == Input {
    var answer: @Sendable (Input, Call) async throws -> Input = { input, _ in input }

    func send(_ input: Input, call: Call) async throws -> Input {
        try await answer(input, call)
    }
}

struct Adding: Interceptor {
    let amount: Int

    func intercept(chain: InterceptorChain<Int>) async throws -> Int {
        try await chain.proceed(chain.input + amount)
    }
}

struct Problem: Error, Equatable {
    var text = "problem"
}
