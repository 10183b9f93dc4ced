import InterceptorKit
import InterceptorKitSigning
import Synchronization

/// A service that answers genuine requests alone, and each of them once.
final class Service: Transport {
    private let scheme = HMACScheme()
    private let keys: FixedSigningKeys
    private let seen = Mutex<Set<String>>([])
    private let log = Mutex<[HTTP.Request]>([])

    /// The requests as they came, the last one last.
    var received: [HTTP.Request] { log.withLock { $0 } }

    init(_ keys: FixedSigningKeys) { self.keys = keys }

    func send(_ request: HTTP.Request, call: Call) async throws -> HTTP.Response {
        log.withLock { $0.append(request) }
        var response = try await answer(to: request, call.runtime)
        response.request = request
        return response
    }

    private func answer(to request: HTTP.Request, _ runtime: Runtime) async throws -> HTTP.Response
    {
        guard let id = scheme.keyID(of: request), let nonce = scheme.nonce(of: request) else {
            return HTTP.Response(401, body: "not signed")
        }
        guard let key = try await keys.key(id: id) else {
            return HTTP.Response(401, body: "signed with an unknown key")
        }
        // Within five minutes of this side's clock, over everything that the scheme covers.
        guard scheme.isGenuine(request, with: key, date: runtime.date) else {
            return HTTP.Response(401, body: "the signature does not fit the request or the time")
        }
        guard seen.withLock({ $0.insert("\(id) \(nonce)").inserted }) else {
            return HTTP.Response(401, body: "seen before")
        }
        return HTTP.Response(200, body: .text("genuine, by \(id)"))
    }
}
