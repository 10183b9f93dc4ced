import Hummingbird
import InterceptorKit
import InterceptorKitCurl
import InterceptorKitHummingbird
import InterceptorKitInspection
import InterceptorKitTelemetry
import Logging
import Metrics
import ServiceLifecycle
import Tracing

struct GatewayContext: ServingRequestContext {
    var coreContext: CoreRequestContextStorage
    var serving: Serving

    init(source: Source) {
        coreContext = CoreRequestContextStorage(source: source)
        serving = Serving(source: source)
    }
}

extension Gateway {
    /// Runs the gateway until SIGTERM, and then until what is under way is answered.
    static func serve(
        port: Int,
        orders: HTTP.Origin,
        prices: HTTP.Origin,
        patience: Patience
    ) async throws {
        let metrics = CountingMetrics()
        MetricsSystem.bootstrap(metrics)
        let spans = RecentSpans()
        InstrumentationSystem.bootstrap(spans)
        var logger = Logger(label: "gateway", metadataProvider: .trace)
        logger.logLevel = .notice
        let timeline = Timeline(keeping: 150)
        let events = CompositeEventSink([LoggingEventSink(logger), MetricsEventSink(), timeline])

        let transport = try CurlTransport()
        let known = KnownPrices()
        let upstreams = [
            try Upstream.orders(at: orders, patience, over: transport, events: events),
            try Upstream.prices(
                at: prices,
                patience,
                over: transport,
                events: events,
                known: known
            ),
        ]
        let journal = BreakerJournal(upstreams, logger)
        let served = ConcurrencyLimiter(policy: ConcurrencyLimitPolicy(limit: 2 * patience.limit))
        let board = Board(
            upstreams: upstreams,
            journal: journal,
            metrics: metrics,
            timeline: timeline,
            spans: spans,
            served: served
        )

        let router = Router(context: GatewayContext.self)
        board.addRoutes(to: router)
        let shop = router.group()
            .add(middleware: TracingMiddleware())
            .add(
                middleware: try ChainMiddleware {
                    CallerDeadlineInterceptor(deadlineField, atMost: patience.caller)
                    TimeoutInterceptor(total: patience.caller)
                    ConcurrencyLimitInterceptor(served)
                }
            )
        Shop(orders: upstreams[0].client, prices: upstreams[1].client, known: known)
            .addRoutes(to: shop)

        let application = Application(
            router: router,
            configuration: .init(address: .hostname("127.0.0.1", port: port)),
            logger: logger
        )
        let services = ServiceGroup(
            configuration: ServiceGroupConfiguration(
                services: [.init(service: journal), .init(service: application)],
                gracefulShutdownSignals: [.sigterm, .sigint],
                logger: logger
            )
        )
        try await services.run()
        logger.notice("everything under way was answered")
    }
}
