import Hummingbird
import InterceptorKit
import InterceptorKitHummingbird
import InterceptorKitStreaming
import ServiceLifecycle

struct FeedContext: ServingRequestContext {
    var coreContext: CoreRequestContextStorage
    var serving: Serving

    init(source: Source) {
        coreContext = CoreRequestContextStorage(source: source)
        serving = Serving(source: source)
    }
}

/// `GET /events` sends the feed from the `Last-Event-ID` on, or from its beginning. `POST /publish?type=…`
/// appends an event with the content as its data, and responds with its id when it is on the disk.
///
/// At the end of a chain, so that a client that goes is noticed at once.
struct FeedInterceptor: Interceptor {
    let feed: HTTP.EventBroadcaster

    func intercept(chain: InterceptorChain<HTTP.Request>) async throws -> HTTP.Response {
        let request = chain.input
        do {
            switch (request.method, request.url.path) {
            case (.get, "/events"):
                let events = try await feed.events(
                    after: request.headers["Last-Event-ID"],
                    beginning: .oldest
                )
                return .eventStream(events, retry: .milliseconds(100), runtime: chain.call.runtime)
            case (.post, "/publish"):
                let type = request.url.queryParameters.first { $0.name == "type" }?.value
                let data = String(decoding: try await request.body.collect(), as: UTF8.self)
                let id = try await feed.publish(.init(data: data, type: type ?? "message"))
                return HTTP.Response(201, body: .text(id))
            default:
                return try await chain.proceed()
            }
        } catch let error as HTTP.StreamingError {
            switch error.code {
            case .unknownID: return HTTP.Response(410, body: .text(error.message))
            case .invalidEvent: return HTTP.Response(400, body: .text(error.message))
            case .finished: return HTTP.Response(503, body: .text(error.message))
            default: throw error
            }
        }
    }
}

/// Ends the streams at SIGTERM, before the server waits for their end.
private struct Ending: Service {
    let feed: HTTP.EventBroadcaster

    func run() async throws {
        try? await gracefulShutdown()
        feed.finish()
    }
}

extension EventFeed {
    static func serve(_ feed: HTTP.EventBroadcaster, port: Int) async throws {
        let router = Router(context: FeedContext.self)
        router.add(middleware: try ChainMiddleware { FeedInterceptor(feed: feed) })
        var application = Application(
            router: router,
            configuration: .init(address: .hostname("127.0.0.1", port: port))
        )
        application.logger.logLevel = .warning
        let services = ServiceGroup(
            configuration: ServiceGroupConfiguration(
                // Told to end in reverse order.
                services: [.init(service: application), .init(service: Ending(feed: feed))],
                gracefulShutdownSignals: [.sigterm, .sigint],
                logger: application.logger
            )
        )
        try await services.run()
    }
}
