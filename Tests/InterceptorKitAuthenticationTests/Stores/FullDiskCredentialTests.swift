import Expectations
import InterceptorKitAuthentication
import TestSupport

#if os(Linux)
import InterceptorKit
import InterceptorKitTesting
import Testing

@Suite(
    "StoredCredentialSource on a full disk",
    .enabled(if: SmallDisk.isPossible, "Only root may mount a small file system.")
)
struct FullDiskCredentialTests {
    /// Two processes over a file on a small disk, which is full when the first refresh is answered.
    private struct World {
        let simulation: Simulation
        let disk: SmallDisk
        let asked = Recorder<String>()
        let failures = Recorder<CredentialStoreError.Code?>()

        var store: CredentialFile {
            CredentialFile(disk.folder["credential"], runtime: simulation.runtime)
        }

        func source() -> StoredCredentialSource {
            let refreshing = RefreshableCredentialSource { rejected in
                asked.note(rejected?.refreshToken ?? "none")
                if asked.entries.count == 1 { disk.fill() }
                let number = asked.entries.count
                return .bearer("a\(number)", refreshToken: "r\(number)")
            }
            return StoredCredentialSource(
                in: store,
                refreshedBy: refreshing,
                runtime: simulation.runtime,
                onSaveFailure: { failures.note(($0 as? CredentialStoreError)?.code) }
            )
        }
    }

    private func onSmallDisk(_ body: @escaping @Sendable (World) async throws -> Void) throws {
        let disk = try SmallDisk()
        defer { disk.unmount() }
        try Simulation.run { simulation in
            let world = World(simulation: simulation, disk: disk)
            _ = try await world.store.save(.bearer("a0", refreshToken: "r0"), over: nil)
            try await body(world)
        }
    }

    @Test("continues with the new credential, and saves it once there is room")
    func room() throws {
        try onSmallDisk { world in
            let transport = ScriptedTransport<HTTP.Request> { request, _ in
                HTTP.Response(request.headers["Authorization"] == "Bearer a1" ? 200 : 401)
            }
            let source = world.source()
            let client = try world.simulation.client(transport) {
                TokenInterceptor(source: source, origins: ["https://api.example.com"])
            }

            let first = try await client.send(.get(orders)).status
            let second = try await client.send(.get(orders)).status
            let kept = try await world.store.load()?.credential.refreshToken
            let names = world.disk.folder.names
            world.disk.empty()
            try await world.simulation.runtime.sleep(for: .seconds(2))

            expectEqual(first, 200)
            expectEqual(second, 200)
            expectEqual(world.failures.entries, [.cannotWrite])
            expectEqual(kept, "r0")
            expectTrue(!names.contains("credential.new"))
            try await expectEqual(world.store.load()?.credential.refreshToken, "r1")
            expectTrue(!world.disk.folder.names.contains("credential.used"))
            expectEqual(world.asked.entries, ["r0"])
        }
    }

    @Test("sends no used refresh token again, and recovers once there is room")
    func others() throws {
        try onSmallDisk { world in
            let (here, there) = (world.source(), world.source())
            let old = try await there.load()
            let new = try await here.refresh(try await here.load())

            let error = await #expect(throws: CredentialStoreError.self) {
                try await there.refresh(old)
            }
            let ownError = await #expect(throws: CredentialStoreError.self) {
                try await here.refresh(new)
            }
            world.disk.empty()
            try await world.simulation.runtime.sleep(for: .seconds(2))
            let taken = try await there.refresh(old)
            let next = try await there.refresh(taken)

            expectEqual(error?.code, .refreshOutcomeUnknown)
            expectEqual(ownError?.code, .cannotWrite)
            expectEqual(taken?.refreshToken, "r1")
            expectEqual(next?.refreshToken, "r2")
            expectEqual(world.asked.entries, ["r0", "r1"])
        }
    }
}
#endif
