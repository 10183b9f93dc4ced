import Expectations
import InterceptorKit
import InterceptorKitTesting
import TestSupport
import Testing

/// Each race runs under many seeds, and ``TokenWorld/verify()`` holds after each of them.
@Suite("TokenInterceptor under races")
struct TokenRaceTests {
    @Test("refreshes once for calls rejected together, and all of them succeed")
    func singleFlight() async throws {
        try await onEveryRace { world in
            world.service.revoke()

            let statuses = try await world.calls(3).map { try $0.get() }

            try requireEqual(statuses, [200, 200, 200])
            try requireEqual(world.service.refreshes, 1)
            try require(world.service.sent.count <= 6)
        }
    }

    @Test("doesn't refresh again for a rejection after the refresh")
    func lateRejection() async throws {
        try await onEveryRace { world in
            let early = world.start()
            await Task.yield()
            world.service.revoke()
            let late = world.start()
            let statuses = [try await early.value, try await late.value]
            let last = try await world.call()

            try requireEqual(statuses, [200, 200])
            try requireEqual(last, 200)
            try require(world.service.refreshes <= 1)
        }
    }

    @Test("frees cancelled callers, and keeps the result of the refresh")
    func cancelled() async throws {
        try await onEveryRace { world in
            world.service.revoke()
            let first = world.start()
            let second = world.start()
            let isLeftAlone = world.simulation.seed % 2 == 0
            await Task.yield()
            first.cancel()
            _ = await first.result
            if isLeftAlone { second.cancel() }
            let status = try? await second.value
            let last = try await world.call()

            try require(status == 200 || isLeftAlone)
            try requireEqual(last, 200)
            try requireEqual(world.service.refreshes, 1)
        }
    }

    @Test("gives all waiters the refresh's error, and refreshes for later calls")
    func failure() async throws {
        try await onEveryRace { world in
            world.service.revoke()
            world.service.failRefreshes(1)

            let failures = await world.calls(2).filter {
                if case .failure(let error) = $0 { return error is Problem } else { return false }
            }
            try requireEqual(failures.count, 2)
            try requireEqual(world.service.refreshes, 1)
            try require(world.service.sent.allSatisfy { $0 == "a0" })

            try await world.simulation.runtime.sleep(for: .seconds(1))
            let status = try await world.call()
            try requireEqual(status, 200)
            try requireEqual(world.service.refreshes, 2)
        }
    }

    @Test("doesn't refresh after a refresh ended the session, until a sign-in")
    func sessionEnd() async throws {
        try await onEveryRace { world in
            world.service.revoke()
            world.service.endGrants()

            let codes = await world.calls(2).map(\.code) + world.calls(1).map(\.code)
            try requireEqual(codes, Array(repeating: .signInRequired, count: 3))
            try requireEqual(world.service.refreshes, 1)

            try await world.signIn()
            let status = try await world.call()
            try requireEqual(status, 200)
        }
    }

    @Test("sends no credential after a sign-out during a refresh")
    func signOut() async throws {
        try await onEveryRace { world in
            world.service.revoke()
            let callers = [world.start(), world.start()]
            await Task.yield()
            try await world.signOut()
            for caller in callers { _ = await caller.result }
            let status = try await world.call()

            try requireEqual(status, 401)
            try requireEqual(world.service.sent.last, "-")
        }
    }

    @Test("uses a credential of a sign-in during the refresh, without waiting")
    func signIn() async throws {
        try await onEveryRace { world in
            world.service.revoke()
            let callers = [world.start(), world.start()]
            await Task.yield()
            try await world.signIn()

            for caller in callers {
                let status = try await caller.value
                try requireEqual(status, 200)
            }
            try require(world.service.refreshes <= 1)
            try await requireEqual(world.call(), 200)
            try requireEqual(world.service.sent.last, world.service.newest)
        }
    }

    @Test("lets no refresh of an ended session end the next session's refresh")
    func overtaken() async throws {
        try await onEveryRace { world in
            world.service.revoke()
            let first = world.start()
            await Task.yield()
            try await world.signOut()
            try await world.signIn()
            world.service.revoke()
            let status = try await world.call()

            _ = await first.result
            try requireEqual(status, 200)
            try requireEqual(world.service.sent.last, world.service.newest)
        }
    }

    @Test("satisfies a forced refresh with none that began before it")
    func forced() async throws {
        try await onEveryRace { world in
            world.service.revoke()
            let caller = world.start()
            await Task.yield()
            let before = world.service.refreshes
            try await world.refresh()

            try require(world.service.refreshes > before)
            _ = try await caller.value
            try require(world.service.refreshes <= before + 2)
        }
    }

    @Test("shares one forced refresh among callers that wait for another")
    func forcedTogether() async throws {
        try await onEveryRace { world in
            world.service.answers.close()
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<3 { group.addTask { try await world.refresh() } }
                // By then all have asked.
                try await world.simulation.runtime.sleep(for: .milliseconds(1))
                world.service.answers.open()
                try await group.waitForAll()
            }

            try requireEqual(world.service.refreshes, 2)
        }
    }

    @Test("refreshes once for a token near expiry that is rejected meanwhile")
    func expiringAndRejected() async throws {
        try await onEveryRace(lifetime: 60) { world in
            try await requireEqual(world.call(), 200)
            try await world.simulation.runtime.sleep(for: .seconds(30))
            world.service.revoke()
            let refreshes = world.service.refreshes
            let statuses = try await world.calls(2).map { try $0.get() }

            try requireEqual(statuses, [200, 200])
            try requireEqual(world.service.refreshes, refreshes + 1)
        }
    }

    @Test("refreshes with the refresh token of the last refresh")
    func rotation() async throws {
        // Not a race.
        try await onEveryRace(0..<50) { world in
            for round in 1...2 {
                world.service.revoke()
                let status = try await world.call()
                try requireEqual(status, 200)
                try requireEqual(world.service.refreshes, round)
            }
        }
    }

    @Test("frees the waiters of a hung refresh, and uses its late result")
    func hung() async throws {
        try await onEveryRace { world in
            world.service.revoke()
            world.service.answers.close()
            let codes = await world.calls(2).map(\.code)
            try requireEqual(codes, [.refreshTimedOut, .refreshTimedOut])
            try requireEqual(world.simulation.now.offset, .seconds(10))

            let caller = world.start()
            world.service.answers.open()
            let status = try await caller.value
            try requireEqual(status, 200)
            try requireEqual(world.service.refreshes, 1)
        }
    }

    @Test("keeps its invariants in any order of events")
    func anything() async throws {
        try await onEveryRace(lifetime: 90) { world in
            let runtime = world.simulation.runtime
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<4 {
                    let choice = runtime.random() % 10
                    group.addTask {
                        await Task.yield()
                        switch choice {
                        case 0: try await world.signIn()
                        case 1: try await world.signOut()
                        case 2: try? await world.refresh()
                        case 3: world.service.revoke()
                        case 4: world.service.failRefreshes(1)
                        case 5: try await runtime.sleep(for: .seconds(60))
                        case 6:
                            let caller = world.start()
                            await Task.yield()
                            caller.cancel()
                            _ = await caller.result
                        default: break
                        }
                        _ = try? await world.call()
                    }
                }
                try await group.waitForAll()
            }
        }
    }
}

extension Result where Success == HTTP.Status, Failure == any Error {
    fileprivate var code: TokenError.Code? {
        guard case .failure(let error as TokenError) = self else { return nil }
        return error.code
    }
}
