import InterceptorKit

extension TransportConformance {
    /// A requirement for every transport, with a way to check it.
    public struct Requirement: Sendable {
        /// The requirement as a clause without a subject; unique.
        public let name: String

        private let body: @Sendable (ConformanceContext) async throws -> Void

        package init(
            _ name: String,
            _ body: @escaping @Sendable (ConformanceContext) async throws -> Void
        ) {
            self.name = name
            self.body = body
        }

        func result(
            within limit: Duration,
            on runtime: Runtime = .live,
            _ make: @Sendable () throws -> any Transport<HTTP.Request>
        ) async -> TestResult {
            let context: ConformanceContext
            do {
                context = ConformanceContext(try make())
            } catch {
                return .failed("No transport could be made: \(error)")
            }
            let body = body
            let result = await firstResult(within: limit, on: runtime) {
                do {
                    try await body(context)
                    return .passed
                } catch {
                    return .failed("\(error)")
                }
            }
            context.end()
            return result
        }
    }
}

// A group would wait for a transport that hangs. The work is therefore a task that is cancelled and, if it does not
// end, abandoned: the result is then that it hangs.
private func firstResult(
    within limit: Duration,
    on runtime: Runtime,
    _ work: @escaping @Sendable () async -> TransportConformance.TestResult
) async -> TransportConformance.TestResult {
    let (results, source) = AsyncStream.makeStream(of: TransportConformance.TestResult.self)
    let working = runtime.start("conformance requirement") { source.yield(await work()) }
    let timing = runtime.start("conformance time limit") {
        guard (try? await runtime.sleep(for: limit)) != nil else { return }
        source.yield(.failed("It did not end within \(limit.formattedSeconds)."))
    }
    var result = TransportConformance.TestResult.failed("The suite was cancelled.")
    for await first in results {
        result = first
        break
    }
    working.cancel()
    timing.cancel()
    return result
}
