import Expectations
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
            typealias Failure = OwnError
            let description: String
        }

        let code = Code(description: "own")
        let description = "It failed."
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
                "code: cannot connect", "description: Refused by https://██@host/.", "cause: nil",
            ]
        )
    }
}
