package import InterceptorKit

#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif

/// A response's body as its engine delivers it.
package final class ResponseBodyStream: HTTP.BodyStream {
    private let driver: any ExchangeDriver

    package init(_ driver: any ExchangeDriver) { self.driver = driver }

    deinit { driver.handle(.readerLeft) }

    package nonisolated(nonsending) func next() async throws -> Data? {
        try await driver.nextChunk()
    }

    package func cancel() { driver.handle(.readerLeft) }

    package var trailers: HTTP.Headers? { driver.trailers }
}
