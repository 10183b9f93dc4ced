import Foundation
import InterceptorKitConformance
import InterceptorKitTransport
import Testing

/// A result's way out of another process: its exit code. Both codes are failures to the test library,
/// so that neither is a surprise to it.
enum ChildTestResult {
    private static let passed: Int32 = 17
    private static let failed: Int32 = 18

    /// Tries a requirement and ends this process.
    static func tell(_ requirement: String) async -> Never {
        end(with: await TransportConformance.check(requirement) { URLSessionTransport() })
    }

    static func end(with result: TransportConformance.TestResult) -> Never {
        exit(result == .passed ? passed : failed)
    }

    static func result(_ result: ExitTest.Result?) -> TransportConformance.TestResult {
        switch result?.exitStatus {
        case .exitCode(passed): .passed
        case .exitCode(failed): .failed("It failed in a process of its own.")
        case let status?: .failed("Its process ended with \(status).")
        case nil: .failed("Its process could not be started.")
        }
    }
}
