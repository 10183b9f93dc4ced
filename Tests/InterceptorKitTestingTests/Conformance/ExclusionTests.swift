import ConformanceReference
import Expectations
import Foundation
import InterceptorKit
import TestRun
import Testing

@testable import InterceptorKitConformance

/// The name that the documentation gives to a reader's transport.
private typealias MyTransport = ReferenceTransport

@Suite(
    "TransportConformance.Exclusion",
    .tags(.sockets, .process),
    .serializedAcrossSuites,
    .timeLimit(.minutes(10))
)
struct ExclusionTests {
    @Test("the exclusions that the documentation shows name requirements")
    func documented() {
        let exclusions: [TransportConformance.Exclusion] = [
            .limitation(
                "delivers a response that has a field value in Latin-1",
                because: "The engine takes UTF-8 alone.",
                seenOn: "MyEngine 2.1"
            ),
            .notYet(
                "sends what a stream has made before it makes more",
                because: "Bodies are collected first.",
                seenOn: "MyEngine 2.1"
            ),
        ]

        let names = Set(TransportConformance.requirements.map(\.name))
        expectTrue(names.isSuperset(of: exclusions.map(\.requirement)))
        expectEqual(exclusions.map(\.kind), [.limitation, .notYet])
    }

    func inAnotherProcess(_ requirement: String) async -> TransportConformance.TestResult {
        // The one requirement excluded so; `#expect` returns how the process ended.
        let result = await #expect(processExitsWith: .failure) {
            let result = await TransportConformance.check("delivers a body that has trailers") {
                MyTransport()
            }
            exit(result == .passed ? 17 : 18)
        }
        return switch result?.exitStatus {
        case .exitCode(17): .passed
        case .exitCode(18): .failed("as its process reported")
        default: .failed("its process ended")
        }
    }

    @Test("another process tells by its exit code that a requirement passed")
    func otherProcess() async {
        let result = await inAnotherProcess("delivers a body that has trailers")

        expectEqual(result, .passed)
    }
}
