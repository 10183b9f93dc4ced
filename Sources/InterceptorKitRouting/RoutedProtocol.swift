import Foundation
import InterceptorKit

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Passes a session's requests to its route. Foundation creates one for each task.
class RoutedProtocol: URLProtocol {
    class var number: Int { 0 }

    private var load: RoutedLoad?
    // Read when Foundation creates the protocol: within `resume()`, in the task that calls it.
    private let enclosing = Route.enclosing

    override class func canInit(with request: URLRequest) -> Bool {
        let scheme = request.url?.scheme?.lowercased()
        return scheme == "http" || scheme == "https"
    }

    override class func canonicalRequest(for request: URLRequest) -> URLRequest { request }

    override class func requestIsCacheEquivalent(_ a: URLRequest, to b: URLRequest) -> Bool {
        false
    }

    override func startLoading() {
        let load = load ?? RoutedLoad(queue)
        self.load = load
        #if canImport(FoundationNetworking)
        // Foundation ends the task itself, and nothing may come after that.
        if task?.state == .canceling { return }
        #endif
        enter(load)
    }

    override func stopLoading() {
        #if canImport(FoundationNetworking)
        // Foundation also calls this when the task is suspended.
        load?.handle(task?.state == .canceling ? .cancelled : .suspended)
        #else
        load?.handle(.cancelled)
        #endif
    }

    private func enter(_ load: RoutedLoad) {
        load.handle(.entered, begin: { begin(load) }, deliver: { $0.forEach(deliver) })
    }

    private func begin(_ load: RoutedLoad) -> Task<Void, Never>? {
        do {
            let request = try routedRequest()
            return request.route.client.runtime.start("routed request") { await request.run(load) }
        } catch {
            // Delivered directly, because this is the session's queue.
            load.handle(.cancelled)
            deliver(.failed(URLError(routing: error, of: request)))
            return nil
        }
    }

    private func routedRequest() throws(RoutingError) -> RoutedRequest {
        guard let route = Route.find(type(of: self).number) else { throw .routeReleased }
        if enclosing.contains(route.number) { throw .recursion }
        #if canImport(FoundationNetworking)
        guard let task, !(task is URLSessionDownloadTask) else { throw .downloadTask }
        let uploadBody = task is URLSessionUploadTask ? task.uploadBody : nil
        if task is URLSessionUploadTask, uploadBody == nil { throw .uploadTask }
        let isCollected = task.keepsLastChunkAlone
        #else
        let uploadBody: HTTP.Body? = nil
        let isCollected = false
        #endif
        return RoutedRequest(
            route: route,
            urlRequest: request,
            uploadBody: uploadBody,
            isCollected: isCollected
        )
    }

    private func deliver(_ delivery: RoutedLoad.Delivery) {
        switch delivery {
        case .head(let head):
            client?.urlProtocol(self, didReceive: head, cacheStoragePolicy: .notAllowed)
        case .chunk(let chunk): client?.urlProtocol(self, didLoad: chunk)
        case .finished: client?.urlProtocolDidFinishLoading(self)
        case .failed(let error): client?.urlProtocol(self, didFailWithError: error)
        }
    }
}

/// The protocol of one route.
final class NumberedProtocol<Number: RouteNumber>: RoutedProtocol {
    override class var number: Int { Number.value }
}

#if canImport(FoundationNetworking)
extension RoutedProtocol {
    // A serial queue, so that a call for one task's queue cannot overtake another; not the tasks' own threads, because
    // a call waits while URLSession works.
    private static let calls = DispatchQueue(label: "InterceptorKit.RoutedProtocol")

    private var queue: RoutedLoad.Queue {
        guard let task else { return RoutedLoad.Queue(call: { _ in }, drain: { _ in }) }
        return RoutedLoad.Queue(
            call: { load in
                RoutedProtocol.calls.async {
                    if task.state == .running { task.resume() }
                    load.handle(.calledQueue)
                }
            },
            drain: { load in
                RoutedProtocol.calls.async {
                    // This read waits for the task's queue, so for everything that was put there before.
                    _ = task.priority
                    load.handle(.drainedQueue)
                }
            }
        )
    }
}
#else
extension RoutedProtocol {
    // Foundation requires its client to be called on the thread of `startLoading()`, in the same mode of its run loop.
    private var queue: RoutedLoad.Queue {
        // Safety: Core Foundation lets any thread put a block on a run loop and wake it. The block
        // alone uses the protocol, on the thread of that loop, where Foundation uses it too, and
        // retains both until then.
        nonisolated(unsafe) let loop = CFRunLoopGetCurrent()
        let mode = RunLoop.current.currentMode ?? .default
        nonisolated(unsafe) let unsafeSelf = self
        return RoutedLoad.Queue(
            call: { load in
                unsafe CFRunLoopPerformBlock(loop, [mode.rawValue as CFString] as CFArray) {
                    unsafe unsafeSelf.enter(load)
                }
                unsafe CFRunLoopWakeUp(loop)
                load.handle(.calledQueue)
            },
            drain: { $0.handle(.drainedQueue) }
        )
    }
}
#endif
