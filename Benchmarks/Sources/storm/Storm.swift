import Engines
import Foundation
import InterceptorKit
import Nginx
import ProcessFigures

/// Calls over one engine that are cancelled at every moment.
struct Storm {
    let engine: Engine
    let server: Nginx
    let calls: Int
    let inFlight: Int
    /// For how long no call may end before those under way are given up as lost, and how long the
    /// engine has to release what it holds.
    let patience: Duration

    /// Makes all calls over a transport of their own and closes it.
    /// - Parameter openFiles: The file descriptors open before.
    func run(seed: UInt64, calls: Int, openFiles: Int) throws -> StormResult {
        let start = ContinuousClock.now
        let log = CallLog(calls: calls)
        let tasks = Counter()
        var lost = 0
        var held = StormResult.Held()
        do {
            let opened = try engine.open(inFlight)
            let client = try HTTP.Client(
                transport: opened.transport,
                runtime: .counting(with: tasks)
            ) {}
            makeCalls(seed: seed, over: client, into: log)
            lost = waitForEnd(of: log)
            settle { client.openCalls + client.openBodies == 0 }
            held.calls = client.openCalls
            held.bodies = client.openBodies
            opened.close()
        }
        settle { tasks.count == 0 && (try? OpenFiles.count()) ?? 0 <= openFiles }
        held.tasks = tasks.count
        held.files = max(0, try OpenFiles.count() - openFiles)
        return StormResult(
            seed: seed,
            time: start.duration(to: .now),
            log: log,
            lost: lost,
            held: held,
            residentMemory: try ResidentMemory.current()
        )
    }

    /// How many file descriptors are open once that number stands still.
    func settledOpenFiles() throws -> Int {
        var count = try OpenFiles.count()
        settle {
            Thread.sleep(forTimeInterval: 0.2)
            let now = (try? OpenFiles.count()) ?? count
            defer { count = now }
            return now == count
        }
        return count
    }

    private func makeCalls(seed: UInt64, over client: HTTP.Client, into log: CallLog) {
        for _ in 0..<inFlight {
            Task.detached { [server] in
                while let number = log.start() {
                    let plan = CallPlan(seed: seed, number: number, size: Nginx.mebibyte)
                    await StormyCall(
                        number: number,
                        plan: plan,
                        client: client,
                        server: server,
                        log: log
                    )
                    .run()
                }
            }
        }
    }

    /// Waits while calls end, and returns how many never did.
    private func waitForEnd(of log: CallLog) -> Int {
        var finished = 0
        var lastEnd = ContinuousClock.now
        while !log.isFinished {
            Thread.sleep(forTimeInterval: 0.02)
            let now = ContinuousClock.now
            if log.finished > finished {
                finished = log.finished
                lastEnd = now
            } else if lastEnd.duration(to: now) > patience {
                return log.unanswered
            }
        }
        return 0
    }

    private func settle(_ isSettled: () -> Bool) {
        let end = ContinuousClock.now + patience
        while !isSettled(), .now < end { Thread.sleep(forTimeInterval: 0.02) }
    }
}
