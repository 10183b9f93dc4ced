import InterceptorKit

enum WaitCondition: Sendable {
    case requests(Int)
    case openConnections(Int)
    case receivedBytes(Int)

    func holds(_ facts: ServerLog.Facts) -> Bool {
        switch self {
        case .requests(let count): facts.requestCount >= count
        case .openConnections(let count): facts.openConnections == count
        case .receivedBytes(let count): facts.receivedBytes >= count
        }
    }

    func timedOut(_ timeout: Duration, _ facts: ServerLog.Facts) -> TestKitError {
        TestKitError(
            .timedOut,
            "Waited \(timeout.formattedSeconds) for \(wanted); \(found(facts))."
        )
    }

    func stopped(_ facts: ServerLog.Facts) -> TestKitError {
        TestKitError(
            .stopped,
            "The server was stopped while waiting for \(wanted); \(found(facts))."
        )
    }

    var wanted: String {
        switch self {
        case .requests(let count): "\(count) request\(count == 1 ? "" : "s")"
        case .openConnections(let count): "\(count) open connection\(count == 1 ? "" : "s")"
        case .receivedBytes(let count): "\(count) byte\(count == 1 ? "" : "s")"
        }
    }

    private func found(_ facts: ServerLog.Facts) -> String {
        switch self {
        case .requests: "received: \(facts.requestCount)"
        case .openConnections: "open: \(facts.openConnections)"
        case .receivedBytes: "received: \(facts.receivedBytes)"
        }
    }
}
