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
        #expect(kind(of: TransportError(.timedOut, "Nothing came.")) == "timed out")
        #expect(kind(of: TransportError(.connectionLost, "It broke.")) == "retryable")
        #expect(kind(of: TransportError(.tls, "The certificate has expired.")) == "coded")
        #expect(kind(of: TimeoutError(.total, limit: .seconds(1))) == "coded")
        #expect(kind(of: CancellationError()) == "other")
    }

    @Test("lists its attempts from the first on")
    func attempts() {
        let error: any CodedError = TransportError(.timedOut, "Nothing came.")

        #expect(error.attempts.map(\.number) == [1])
        #expect(!"\(error)".contains("attempt 1"))
    }
}
