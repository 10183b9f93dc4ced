import TestRun
import Testing

@testable import RoutedSession

@Suite("RoutedSession example", .tags(.sockets), .serializedAcrossSuites)
struct DemoTests {
    @Test("meets every expectation")
    func demo() async throws {
        try await Demo().run { _ in }
    }
}
