import InterceptorKit

extension RequestOperation {
    /// Starts the task that reads the request's body stream. It ends with the transfer, which may be after `send` has
    /// returned, since a response may begin while the request is still being sent.
    func startPump(of body: HTTP.Body, on runtime: Runtime) {
        guard let pipe else { return }
        pipe.own(runtime.start("CurlTransport upload") { await self.pump(body, into: pipe) })
    }

    func pump(_ body: HTTP.Body, into pipe: UploadPipe) async {
        let wake = { _ = self.loop.post(.resumeSending(self)) }
        do {
            for try await chunk in body {
                guard try await pipe.push(chunk, wake: wake) else { return }
            }
            try pipe.complete(wake: wake)
        } catch let failure as CurlFailure {
            fail(failure)
        } catch is CancellationError {
            fail(.sourceCancelled)
        } catch {
            fail(.source(SourceError(error: error)))
        }
    }
}
