import InterceptorKit

extension RequestOperation {
    /// Reads the request's body stream into the pipe.
    func pump(_ body: HTTP.Body, into pipe: UploadPipe) async {
        let wake = { _ = self.loop.post(.resumeSending(self)) }
        do {
            for try await chunk in body {
                guard try await pipe.push(chunk, wake: wake) else { return }
            }
            try pipe.complete(wake: wake)
        } catch let failure as Failure {
            handle(.failed(failure))
        } catch is CancellationError {
            handle(.failed(.sourceCancelled))
        } catch {
            handle(.failed(.source(SourceError(error: error))))
        }
    }
}
