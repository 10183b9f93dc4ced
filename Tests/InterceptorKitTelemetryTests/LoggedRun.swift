#if Logging
import InMemoryLogging
import InterceptorKit
import InterceptorKitTelemetry
import InterceptorKitTesting
import Logging

/// What is logged of a request that is sent to a script.
enum LoggedRun {
    static func lines(
        _ steps: [ScriptStep<HTTP.Request>],
        at level: Logger.Level,
        for request: HTTP.Request = .get(order),
        levels: LogLevels = LogLevels(),
        token: Bool = false,
        isTraced: Bool = false
    ) async throws -> [InMemoryLogHandler.Entry] {
        var handler = InMemoryLogHandler()
        handler.logLevel = level
        if isTraced {
            handler.metadataProvider = Logger.MetadataProvider { ["trace": "\(Traced.id)"] }
        }
        let kept = handler
        let sinkLogger = Logger(label: "test") { _ in kept }
        let id = Traced.id
        try await onSeeds(0..<1) { simulation in
            let sink = LoggingEventSink(sinkLogger, levels: levels, runtime: simulation.runtime)
            let client = try HTTP.Client(
                transport: ScriptedTransport(replies: steps),
                runtime: simulation.runtime,
                events: sink
            ) {
                RetryInterceptor(policy: .steady)
                if token {
                    TokenInterceptor(
                        source: RefreshableCredentialSource { _ in .bearer("hidden") },
                        origins: ["https://api.example.com"]
                    )
                }
            }
            await Traced.$id.withValue(id) {
                _ = try? await client.send(request)
            }
            await sink.flush()
        }
        return kept.entries
    }
}

enum Traced {
    @TaskLocal static var id = "none"
}
#endif
