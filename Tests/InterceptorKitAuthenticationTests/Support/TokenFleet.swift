import InterceptorKit
import InterceptorKitAuthentication
import InterceptorKitConcurrency
import InterceptorKitTesting
import Synchronization
import TestSupport

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Processes that share a credential, each with a clock of its own, and all that goes wrong with them.
final class TokenFleet: Sendable {
    /// A process: what it shares with the others is the store and the service.
    struct Process: Sendable {
        let name: String
        let runtime: Runtime
        let tokens: TokenInterceptor
        let client: HTTP.Client
        let saves: SaveWatch

        func call() async throws -> HTTP.Status {
            try await client.send(.get(orders, headers: ["X-Process": name])).status
        }
    }

    let simulation: Simulation
    let service: FleetService
    let store: UnreliableStore
    let cases: FleetCases
    private let processes: Mutex<[Process]>

    /// - Parameters:
    ///   - cases: Is told what happens.
    ///   - sizes: How many processes there may be.
    ///   - lifetimes: How long tokens may live, in seconds; `nil` for one that nobody knows.
    ///   - skews: By how many seconds the clock of a process may be ahead.
    init(
        _ simulation: Simulation,
        _ cases: FleetCases,
        sizes: [Int] = [2, 2, 3, 4],
        lifetimes: [Double?] = [nil, 2, 20, 600],
        skews: [Double] = [0, 0, 5, -5, 3600, -3600]
    ) async throws {
        self.simulation = simulation
        self.cases = cases
        let chance = SeededChoice(simulation.runtime)
        let lifetime = chance.one(of: lifetimes)
        service = FleetService(simulation.runtime, lifetime: lifetime, cases)
        store = UnreliableStore(simulation.runtime, cases)
        processes = Mutex([])
        _ = try await store.save(service.signIn(on: simulation.runtime), over: nil)
        for number in 0..<chance.one(of: sizes) {
            let skew = chance.one(of: skews)
            if abs(skew) > lifetime ?? .infinity { cases.note("skew beyond the lifetime") }
            let process = try process("\(number)", simulation.runtime.ahead(by: skew))
            processes.withLock { $0.append(process) }
        }
        if lifetime == nil { cases.note("unknown lifetime") }
    }

    var chance: SeededChoice { SeededChoice(simulation.runtime) }
    var all: [Process] { processes.withLock { $0 } }

    private func process(_ name: String, _ runtime: Runtime) throws -> Process {
        let endpoint = TokenEndpoint(
            "https://login.example.com/token",
            client: .public(id: name),
            pipeline: try Pipeline(transport: service, runtime: runtime) {}
        )
        let saves = SaveWatch()
        let source = StoredCredentialSource(
            in: store,
            refreshedBy: RefreshTokenSource(at: endpoint),
            runtime: runtime,
            onSaveFailure: { [cases] _ in
                cases.note("save failed")
                saves.hasFailed.withLock { $0 = true }
            }
        )
        var policy = RefreshPolicy.standard
        policy.limit = 1000
        let tokens = TokenInterceptor(
            source: source,
            origins: ["https://api.example.com"],
            policy: policy
        )
        let client = try HTTP.Client(transport: service, timeout: nil, runtime: runtime) { tokens }
        return Process(name: name, runtime: runtime, tokens: tokens, client: client, saves: saves)
    }

    func idle() async throws {
        let seconds = chance.one(of: [0.5, 3, 15, 100, 1000])
        try await simulation.runtime.sleep(for: .seconds(seconds))
    }

    /// Ends a process with all that it had in memory, and starts another in its place.
    func restart() throws {
        let index = chance.below(all.count)
        let old = all[index]
        cases.note("restart")
        // What it could not save is lost with it, unless it was saved meanwhile.
        if old.saves.hasFailed.withLock({ $0 }) { service.noteLoss() }
        let new = try process(old.name, old.runtime)
        processes.withLock { $0[index] = new }
    }

    func signIn() async throws {
        let process = chance.one(of: all)
        try await process.tokens.signIn(with: service.signIn(on: process.runtime))
    }

    func callAtOnce() async -> [Result<HTTP.Status, any Error>] {
        await withTaskGroup(of: Result<HTTP.Status, any Error>.self) { group in
            for process in all {
                group.addTask {
                    do {
                        return .success(try await process.call())
                    } catch {
                        return .failure(error)
                    }
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
    }

    /// Does one of the things that happen to a fleet.
    func doSomething() async throws {
        switch chance.below(14) {
        case 0..<4: _ = try? await chance.one(of: all).call()
        case 4: _ = await callAtOnce()
        case 5..<8: try await idle()
        case 8: service.fail(chance.one(of: FleetService.Fault.allCases))
        case 9: store.fail(chance.one(of: UnreliableStore.Operation.allCases))
        case 10: store.work()
        case 11: service.revoke()
        case 12: try restart()
        default: if chance.below(3) == 0 { try? await signIn() }
        }
    }
}

/// Whether a process was told that a credential could not be saved.
final class SaveWatch: Sendable {
    let hasFailed = Mutex(false)
}

/// Draws from a seed.
struct SeededChoice: Sendable {
    private let runtime: Runtime

    init(_ runtime: Runtime) { self.runtime = runtime }

    func below(_ count: Int) -> Int { Int(runtime.random() % UInt64(count)) }
    func one<Element>(of elements: [Element]) -> Element { elements[below(elements.count)] }
}

/// In how many runs each thing happened.
final class FleetCases: Sendable {
    private let happened = Mutex<Set<String>>([])

    func note(_ name: String) { _ = happened.withLock { $0.insert(name) } }
    var all: Set<String> { happened.withLock { $0 } }
}

extension Runtime {
    /// The same with a wall clock that is ahead by some seconds.
    fileprivate func ahead(by seconds: Double) -> Runtime {
        Runtime(
            now: { now },
            date: { date.addingTimeInterval(seconds) },
            sleep: { try await sleep(until: $0) },
            random: { random() },
            identifier: { identifier() },
            start: { start($0, $1) }
        )
    }
}
