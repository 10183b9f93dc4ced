import Expectations
import InterceptorKit
import TestSupport
import Testing

@Suite("Layout.adding")
struct LayoutAddingTests {
    private let recorder = Recorder<String>()

    private func marker(_ name: String, _ placement: Placement?) -> Marker<Int> {
        Marker(name, recorder, placement: placement)
    }

    @Test("inserts added interceptors by placement, in the pinned precedence")
    func adding() async throws {
        let pipeline = try Pipeline(transport: Echo<Int>()) {
            marker("filter", .errorFilter)
            marker("plain", nil)
            marker("retry", .retry)
            marker("sign", .signing)
        }

        let joined = try pipeline.adding {
            marker("added plain", nil)
            marker("added token", .token)
            marker("added filter", .errorFilter)
            marker("added sign", .signing)
            marker("added plain too", nil)
        }
        _ = try await joined.run(1)

        expectEqual(
            recorder.entries.filter { $0.hasSuffix(">") },
            [
                "filter>", "plain>", "added filter>", "retry>", "added plain>", "added token>",
                "added plain too>", "sign>", "added sign>",
            ]
        )
    }

    @Test("inserts an added container where its first member belongs")
    func addingContainer() async throws {
        let pipeline = try Pipeline(transport: Echo<Int>()) {
            marker("limit", .totalTimeout)
            marker("retry", .retry)
        }

        let joined = try pipeline.adding {
            CompositeInterceptor("both") {
                marker("added filter", .errorFilter)
                marker("added limit", .totalTimeout)
            }
        }
        _ = try await joined.run(1)

        expectEqual(
            recorder.entries.filter { $0.hasSuffix(">") },
            [
                "added filter>", "added limit>", "limit>", "retry>",
            ]
        )
    }
}
