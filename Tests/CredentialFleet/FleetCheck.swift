public import InterceptorKit
import InterceptorKitAuthentication
public import Testing

extension Fleet {
    /// Runs 8 processes of 200 calls each, two of them killed in a refresh, and checks that the whole
    /// load is done and that no refresh token is used twice.
    public static func checkKills(
        _ name: String,
        store: some CredentialStore,
        arguments: [String],
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        var load = TokenServer.Load()
        load.kills = [5, 12]

        let report = try await check(name, store, arguments, load, sourceLocation: sourceLocation)

        #expect(report.refreshes >= 39, "\(report)", sourceLocation: sourceLocation)
    }

    /// Runs processes of which two are killed while they hold the store's lock, where nothing is lost,
    /// and checks that no call fails.
    public static func checkHarmlessKills(
        _ name: String,
        store: some CredentialStore,
        arguments: [String],
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        var load = TokenServer.Load()
        load.workers = 4
        load.calls = 100
        load.usesPerToken = 10

        let report = try await check(
            name,
            store,
            arguments,
            load,
            deaths: [.locked, .saved],
            sourceLocation: sourceLocation
        )

        let killed = report.ends.filter(\.wasKilled).map(\.worker).sorted()
        #expect(killed == [0, 1], "\(report)", sourceLocation: sourceLocation)
        #expect(report.failures == [:], "\(report)", sourceLocation: sourceLocation)
    }

    private static func check(
        _ name: String,
        _ store: some CredentialStore,
        _ arguments: [String],
        _ load: TokenServer.Load,
        deaths: [Death] = [],
        sourceLocation: SourceLocation
    ) async throws -> FleetReport {
        let server = try TokenServer(load)
        let fleet = Fleet(store: store, arguments: arguments, deaths: deaths, server: server)

        let report = try await fleet.run()

        print("fleet on \(name): \(report.summary)")
        let kept = try await store.load()?.credential.refreshToken
        let violations = report.violations(of: load, kept: kept)
        #expect(violations == [], "\(report)", sourceLocation: sourceLocation)
        return report
    }
}
