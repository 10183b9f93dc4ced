import Expectations
import Foundation
import InterceptorKit
import Testing

@Suite("CodedError")
struct CodedErrorTests {
    private func kind(of error: any Error) -> String {
        do {
            throw error
        } catch TransportError.Code.timedOut {
            return "timed out"
        } catch let error as any CodedError where error.isRetryable {
            return "retryable"
        } catch is any CodedError {
            return "coded"
        } catch {
            return "other"
        }
    }

    @Test("is caught by its code, and by whether another try may help")
    func codes() {
        expectEqual(kind(of: TransportError(.timedOut, "Nothing came.")), "timed out")
        expectEqual(kind(of: TransportError(.connectionLost, "It broke.")), "retryable")
        expectEqual(kind(of: TransportError(.tls, "The certificate has expired.")), "coded")
        expectEqual(kind(of: TimeoutError(.total, limit: .seconds(1))), "coded")
        expectEqual(kind(of: CancellationError()), "other")
    }

    @Test("lists its attempts from the first on")
    func attempts() {
        let error: any CodedError = TransportError(.timedOut, "Nothing came.")

        expectEqual(error.attempts.map(\.number), [1])
        expectTrue(!"\(error)".contains("attempt 1"))
    }

    private struct Leaky: Error { let url = "https://user:s3cret@host/" }

    private struct OwnError: CodedError {
        struct Code: ErrorCode {
            let description: String
        }

        let code = Code(description: "own")
        let message = "It failed."
        let cause: (any Error)?
        let token = "s3cret"
    }

    @Test(
        "is dumped with the type of its cause and nothing else that it holds",
        arguments: [
            TransportError(.other, "It failed.", cause: Leaky()),
            TimeoutError(.attempt, limit: .seconds(1), cause: Leaky()),
            PipelineError(.invalidSetting, "It cannot work.", cause: Leaky()),
            OwnError(cause: Leaky()),
        ] as [any CodedError]
    )
    func cause(error: any CodedError) {
        var dumped = ""
        dump(error, to: &dumped)

        expectTrue(error.cause is Leaky)
        expectTrue(dumped.contains("Leaky"))
        expectTrue(dumped.contains("\(error)"))
        expectTrue(!dumped.contains("s3cret"))
    }

    @Test("is dumped without a cause if there is none, and with secrets hidden")
    func description() {
        let error = TransportError(.cannotConnect, "Refused by https://user:s3cret@host/.")

        let children = Mirror(reflecting: error).children.map { "\($0.label ?? ""): \($0.value)" }

        expectEqual(
            children,
            [
                "code: cannotConnect", "description: Refused by https://██@host/.", "cause: nil",
            ]
        )
    }

    @Test("every code's text is its name in code, over all modules")
    func spelling() throws {
        let declaration =
            try Regex(#"static (?:let|var) (\w+)\W[^"\n]*\bCode\((?:description: )?"([^"]*)"\)"#)
        let codes = try sources().flatMap { text in
            text.matches(of: declaration).map {
                ($0.output[1].substring ?? "", $0.output[2].substring ?? "")
            }
        }

        expectTrue(codes.count > 100)
        expectEqual(codes.filter { $0 != $1 }.map { "\($0): \($1)" }, [])
    }

    // Without the codes of OAuth, whose texts are the names that servers give.
    private func sources() throws -> [String] {
        let root = (1...5).reduce(URL(filePath: #filePath)) { url, _ in
            url.deletingLastPathComponent()
        }
        let folder = root.appending(path: "Sources").path
        let files = try #require(FileManager.default.enumerator(atPath: folder))
        return try files.compactMap { $0 as? String }
            .filter { $0.hasSuffix(".swift") && !$0.hasSuffix("OAuthError.swift") }
            .map { try String(contentsOfFile: "\(folder)/\($0)", encoding: .utf8) }
            .filter { $0.contains("Code(description: ") }
    }
}
