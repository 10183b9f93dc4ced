import InterceptorKit

/// Reads a body at its own pace.
struct Reader: Sendable {
    /// Never waits.
    static let fast = Reader(portion: .max, firstPause: .zero, pause: .zero)

    /// The bytes between two pauses.
    let portion: Int
    /// The first pause: long enough for a server to send everything it can get rid of.
    let firstPause: Duration
    let pause: Duration

    /// Reads to the end.
    /// - Parameter progress: Told the bytes so far.
    func read(_ body: HTTP.Body, progress: (Int) -> Void) async throws {
        var count = 0
        var nextPause = portion
        var isFirst = true
        for try await chunk in body {
            count += chunk.count
            progress(count)
            guard count >= nextPause else { continue }
            nextPause += portion
            try await Task.sleep(for: isFirst ? firstPause : pause)
            isFirst = false
        }
    }
}
