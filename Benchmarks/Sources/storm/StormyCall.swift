import InterceptorKit
import Nginx

/// One call and what is done to it.
struct StormyCall: Sendable {
    let number: Int
    let plan: CallPlan
    let client: HTTP.Client
    let server: Nginx
    let log: CallLog
    private let canceller = Canceller()

    init(number: Int, plan: CallPlan, client: HTTP.Client, server: Nginx, log: CallLog) {
        self.number = number
        self.plan = plan
        self.client = client
        self.server = server
        self.log = log
    }

    /// Makes the call and returns when it has ended.
    func run() async {
        let task = Task { await exchange() }
        canceller.attach(task)
        switch plan.moment {
        case .whileStarting: task.cancel()
        case .after(let microseconds): canceller.cancel(after: microseconds)
        case .beforeSending, .atCompletion, .inBody, .dropped: break
        }
        await task.value
    }

    private func exchange() async {
        if case .beforeSending = plan.moment { cancelCurrentTask() }
        let path = plan.isLarge ? "/mebibyte" : "/small"
        let url = HTTP.URL(unvalidated: server.url("\(path)?number=\(number)"))
        let response: HTTP.Response
        do {
            response = try await client.send(.get(url))
            log.noteAnswer(of: number)
        } catch {
            log.noteAnswer(of: number)
            return end(with: error, cancelledAs: .cancelledBeforeHead)
        }
        guard response.status == 200, response.headers["X-Number"] == "\(number)" else {
            return log.note(.wrong, of: number)
        }
        do {
            log.note(try await read(response.body), of: number)
        } catch {
            end(with: error, cancelledAs: .cancelledInBody)
        }
    }

    private func read(_ body: HTTP.Body) async throws -> CallLog.Ending {
        let size = plan.isLarge ? Nginx.mebibyte : Nginx.smallSize
        var count = 0
        var isToBeCancelled = true
        if case .atCompletion = plan.moment, !plan.isLarge { canceller.cancel() }
        if case .dropped(bytes: 0) = plan.moment { return .dropped }
        for try await chunk in body {
            count += chunk.count
            switch plan.moment {
            case .atCompletion where plan.isLarge && isToBeCancelled && size - count <= 128 << 10:
                isToBeCancelled = false
                canceller.cancel()
            case .inBody(let bytes) where count > bytes: cancelCurrentTask()
            case .dropped(let bytes) where count > bytes: return .dropped
            default: break
            }
        }
        return count == size ? .whole : .wrong
    }

    /// Only a call whose task was cancelled may end as cancelled.
    private func end(with error: any Error, cancelledAs ending: CallLog.Ending) {
        if error is CancellationError, Task.isCancelled {
            log.note(ending, of: number)
        } else {
            log.note(.failed, of: number, because: error)
        }
    }

    private func cancelCurrentTask() { withUnsafeCurrentTask { $0?.cancel() } }
}
