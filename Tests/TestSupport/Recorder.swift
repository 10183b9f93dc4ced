package import InterceptorKit
import InterceptorKitConcurrency
import Synchronization

/// Notes what happened, in order, from any task.
package final class Recorder<Entry: Sendable>: Sendable {
    private let notes = Mutex<[Entry]>([])

    package init() {}

    package var entries: [Entry] { notes.withLock { $0 } }

    package func note(_ entry: Entry) { notes.withLock { $0.append(entry) } }
}

/// Notes its name on the way down and on the way up.
package struct Marker<Input: Interceptable>: Interceptor {
    package let name: String
    package let recorder: Recorder<String>
    package var placement: Placement?

    package init(_ name: String, _ recorder: Recorder<String>, placement: Placement? = nil) {
        self.name = name
        self.recorder = recorder
        self.placement = placement
    }

    package func intercept(chain: InterceptorChain<Input>) async throws -> Input.Output {
        recorder.note("\(name)>")
        let output = try await chain.proceed()
        recorder.note("<\(name)")
        return output
    }
}

/// Answers every input with itself, or with what a closure makes of it.
package struct Echo<Input: Interceptable>: Transport where Input.Output == Input {
    package var answer: @Sendable (Input, Call) async throws -> Input

    package init(
        answer: @escaping @Sendable (Input, Call) async throws -> Input = { input, _ in input }
    ) {
        self.answer = answer
    }

    package func send(_ input: Input, call: Call) async throws -> Input {
        try await answer(input, call)
    }
}

package struct Adding: Interceptor {
    package let amount: Int

    package init(amount: Int) {
        self.amount = amount
    }

    package func intercept(chain: InterceptorChain<Int>) async throws -> Int {
        try await chain.proceed(chain.input + amount)
    }
}

package struct Problem: Error, Equatable {
    package var text: String

    package init(text: String = "problem") { self.text = text }
}
