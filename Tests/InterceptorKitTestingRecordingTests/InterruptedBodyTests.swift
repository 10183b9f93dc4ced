import Expectations
import InterceptorKit
import TestSupport
import Testing

@testable import InterceptorKitTestingRecording

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

@Suite("InterruptedBody")
struct InterruptedBodyTests {
    @Test(
        "breaks off after its beginning, if it has one, and stays broken",
        arguments: ["", "beginning"]
    )
    func breaks(beginning: String) async {
        let lost = TransportError(.connectionLost, "The connection was lost.")
        let body = InterruptedBody(Data(beginning.utf8), error: lost)
        var read: [String] = []

        for _ in 0..<3 {
            do {
                read.append(
                    try await body.next().map { String(decoding: $0, as: UTF8.self) } ?? "end"
                )
            } catch {
                read.append((error as? TransportError)?.code.description ?? "another error")
            }
        }

        let lostTwice = Array(repeating: "connection lost", count: 2)
        expectEqual(read, [beginning.isEmpty ? "connection lost" : beginning] + lostTwice)
    }
}
