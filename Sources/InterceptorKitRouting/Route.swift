import Foundation
import InterceptorKit
import InterceptorKitConcurrency
import Synchronization

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A client that serves the sessions of one configuration, and what that configuration says.
///
/// Held by the configuration and the sessions made from it, so it goes when the last of them does.
final class Route: Sendable {
    /// The routes that the current task is a part of: a request made within one of them would be sent
    /// through it without end.
    @TaskLocal static var enclosing: Set<Int> = []

    // Foundation makes a protocol from its class alone, so what belongs to a class is found here.
    private static let table = Lock(Table())

    private struct Table {
        var routes: [Int: WeakRoute] = [:]
        // Never used twice: an old session must not come upon another's route.
        var lastNumber = 0
    }

    private struct WeakRoute {
        weak var route: Route?
    }

    /// Whether anything is kept under a number.
    static func isListed(_ number: Int) -> Bool { table.withLock { $0.routes[number] != nil } }

    static func find(_ number: Int) -> Route? { table.withLock { $0.routes[number]?.route } }

    let number: Int
    let client: HTTP.Client
    let settings: RouteSettings

    init(to client: HTTP.Client, _ settings: RouteSettings) {
        self.client = client
        self.settings = settings
        number = Route.table.withLock { table in
            table.lastNumber += 1
            return table.lastNumber
        }
        Route.table.withLock { [number] in $0.routes[number] = WeakRoute(route: self) }
    }

    deinit { _ = Route.table.withLock { [number] in $0.routes.removeValue(forKey: number) } }

    func send(
        _ request: HTTP.Request,
        configure: (inout Call) -> Void
    ) async throws -> HTTP.Response {
        try await Route.$enclosing.withValue(Route.enclosing.union([number])) {
            try await client.send(request, timeout: settings.resourceTimeout, configure: configure)
        }
    }
}
