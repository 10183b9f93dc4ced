import Foundation
import InterceptorKit
import InterceptorKitConcurrency
import Synchronization

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A client that serves the sessions of one configuration, with that configuration's settings.
///
/// The configuration and the sessions made from it hold the route, so it is deallocated with the last of them.
final class Route: Sendable {
    /// The routes that the current task is part of. A request within one of them must not take the same route, or it
    /// would be sent through it without end.
    @TaskLocal static var enclosing: Set<Int> = []

    // Foundation creates a protocol from its class alone, so the class finds its route here.
    private static let table = Lock(Table())

    private struct Table {
        var routes: [Int: WeakRoute] = [:]
        // Never reused: an old session must not find another session's route.
        var lastNumber = 0
    }

    private struct WeakRoute {
        weak var route: Route?
    }

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
