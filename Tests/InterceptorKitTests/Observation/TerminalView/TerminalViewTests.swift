import InterceptorKitTesting
import TestSupport
import Testing

@testable import InterceptorKit

@Suite("TerminalView")
struct TerminalViewTests {
    /// What was written while a call that takes a while was under way.
    private static func written(
        on kind: TerminalView.Terminal.Kind,
        during body: @escaping @Sendable (Call) async throws -> Void = { call in
            try await call.runtime.sleep(for: .milliseconds(350))
        }
    ) async throws -> [String] {
        try await onEverySeed(0..<20) { simulation in
            let output = Recorder<String>()
            let view = TerminalView(
                on: TerminalView.Terminal(kind, width: { 41 }) { output.note($0) },
                runtime: simulation.runtime
            )
            let call = Call(runtime: simulation.runtime, events: view)
            try await call.activity(.call, "call", from: "test", ["input": .text("GET /orders")]) {
                try await body($0)
            }
            await view.finish()
            return output.entries
        }
    }

    @Test("draws ten times a second during a call, and erases it at the end")
    func full() async throws {
        let written = try await Self.written(on: .full)

        let up = "\u{1B}[1F\u{1B}[J"
        #expect(
            written == [
                "GET /orders                        0.1 s\n",
                up + "GET /orders                        0.2 s\n",
                up + "GET /orders                        0.3 s\n",
                up,
            ]
        )
    }

    @Test("draws one line without escape sequences on a plain terminal")
    func plain() async throws {
        let written = try await Self.written(on: .plain)

        let line = "\rGET /orders  "
        let blank = "\r" + String(repeating: " ", count: 18) + "\r"
        #expect(written == [line + "0.1 s", line + "0.2 s", line + "0.3 s", blank])
    }

    @Test("draws and observes nothing without a terminal")
    func none() async throws {
        let written = try await Self.written(on: .none) { call in
            #expect(!call.isObserved)
        }

        #expect(written == [])
    }

    @Test("draws nothing for a call that ends at once")
    func short() async throws {
        #expect(try await Self.written(on: .full) { _ in } == [])
    }

    @Test("starts again for calls after a pause")
    func pause() async throws {
        let output = Recorder<String>()
        try await onEverySeed(0..<1) { simulation in
            let view = TerminalView(
                on: TerminalView.Terminal { output.note($0) },
                runtime: simulation.runtime
            )
            for _ in 0..<2 {
                let call = Call(runtime: simulation.runtime, events: view)
                try await call.activity(.call, "call", from: "test") {
                    try await $0.runtime.sleep(for: .milliseconds(150))
                }
                await view.finish()
                try await simulation.runtime.sleep(for: .seconds(5))
            }
        }

        #expect(output.entries.count == 4)
    }

    @Test(
        "is plain with NO_COLOR or TERM=dumb, and absent without a terminal",
        arguments: [
            (true, [:], TerminalView.Terminal.Kind.full),
            (true, ["NO_COLOR": "1"], .plain),
            (true, ["NO_COLOR": ""], .full),
            (true, ["TERM": "dumb"], .plain),
            (false, ["TERM": "xterm"], .none),
        ]
    )
    func kinds(_ isTerminal: Bool, _ names: [String: String], _ kind: TerminalView.Terminal.Kind) {
        #expect(TerminalView.Terminal.Kind(isTerminal: isTerminal, names) == kind)
    }
}
