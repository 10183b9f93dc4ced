import InterceptorKit

/// A chain that takes part in the league.
///
/// Every chain is given the two numbers that a user chooses for a service: the time of a call and of an
/// attempt. Everything else is the strategy's own.
struct LeagueStrategy: Sendable {
    /// What a chain is made for.
    struct Setting: Sendable {
        /// The service, which only the ideal may look at.
        var backend: LeagueBackend
        var clients: Int
        var seed: UInt64
    }

    enum Kind: Sendable {
        case bare, part, standard, limited, peer, ideal
    }

    let name: String
    let kind: Kind
    /// Where its numbers come from.
    let source: String
    private let interceptors: @Sendable (Setting) throws -> [any Interceptor<HTTP.Request>]

    init(
        _ name: String,
        _ kind: Kind,
        source: String = "",
        _ interceptors: @escaping @Sendable (Setting) throws -> [any Interceptor<HTTP.Request>]
    ) {
        self.name = name
        self.kind = kind
        self.source = source
        self.interceptors = interceptors
    }

    /// A chain of its own for one client.
    func chain(_ setting: Setting) throws -> [any Interceptor<HTTP.Request>] {
        let own = try interceptors(setting)
        guard kind != .standard && kind != .limited else { return own }
        let limits = setting.backend.scenario.limits
        return [TimeoutInterceptor(total: .seconds(limits.call))] + own
            + [TimeoutInterceptor(attempt: .seconds(limits.attempt))]
    }
}

extension LeagueStrategy {
    static let bare = LeagueStrategy("bare", .bare) { _ in [] }

    /// Knows the service's capacity and queue, sends what can be answered in time, and again while there is
    /// time.
    static let ideal = LeagueStrategy("ideal", .ideal) { [IdealInterceptor($0)] }

    static let standard = LeagueStrategy("standard", .standard) { try standard($0) { _ in } }

    /// What is recommended where all calls share what the service can do.
    static let limited = LeagueStrategy("standard with adaptive limit", .limited) { setting in
        try standard(setting) { $0.adaptiveLimit = AdaptiveConcurrencyLimit() }
    }

    private static func standard(
        _ setting: Setting,
        _ change: (inout StandardSettings<HTTP.Request>) -> Void
    ) throws -> [any Interceptor<HTTP.Request>] {
        let limits = setting.backend.scenario.limits
        var settings = StandardSettings<HTTP.Request>()
        settings.totalTimeout = .seconds(limits.call)
        settings.attemptTimeout = .seconds(limits.attempt)
        change(&settings)
        let client = try HTTP.Client.standard(settings, transport: setting.backend)
        return client.pipeline.interceptors
    }
}
