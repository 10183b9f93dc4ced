import Expectations
import InterceptorKit
import Testing

@testable import InterceptorKitTransport

#if canImport(FoundationNetworking)
import FoundationNetworking
#else
import Foundation
#endif

@Suite("URLSessionTransport settings")
struct SettingsTests {
    typealias Settings = URLSessionTransport.Settings

    static let impossible: [@Sendable (inout Settings) -> Void] = [
        { $0.maximumConnectionsPerHost = 0 }, { $0.maximumConnectionsPerHost = .max },
        { $0.idleTimeout = .zero }, { $0.idleTimeout = .seconds(-1) },
        { $0.maximumBufferedBytes = 0 },
        { $0.maximumRequestBodyBytes = -1 }, { $0.bytesInMemory = -1 },
    ]

    @Test("are refused when one cannot work", arguments: impossible.indices)
    func refuses(index: Int) {
        var settings = Settings()
        SettingsTests.impossible[index](&settings)

        #expect(throws: SettingError.self) {
            try URLSessionTransport(settings: settings)
        }
    }

    @Test(
        "round the idle timeout up to whole seconds in Foundation's range",
        arguments: [
            (Duration.milliseconds(1), 1), (.seconds(1), 1), (.milliseconds(1001), 2),
            (.seconds(60), 60),
            (.seconds(1_000_000), 1_000_000), (.milliseconds(1_000_000_001), 1_000_000),
            (.seconds(Int64.max), 1_000_000),
        ]
    )
    func idleSeconds(timeout: Duration, expected: Int) {
        var settings = Settings()
        settings.idleTimeout = timeout

        expectEqual(settings.idleSeconds, expected)
    }

    @Test("are refused with a trust policy on Linux, where curl is recommended")
    func trust() throws {
        var settings = Settings()
        settings.trust = TrustPolicy { _ in (.performDefaultHandling, nil) }

        #if canImport(FoundationNetworking)
        let error = #expect(throws: SettingError.self) {
            try URLSessionTransport(settings: settings)
        }
        expectEqual(error?.description.contains("CurlTransport"), true)
        #else
        _ = try URLSessionTransport(settings: settings)
        #endif
    }
}
