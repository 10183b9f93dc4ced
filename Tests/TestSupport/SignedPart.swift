import Foundation
package import InterceptorKit
package import InterceptorKitTesting

/// A part of a request that a signature may cover.
package enum SignedPart: Sendable, Hashable {
    case method, authority, target, body
    case field(String)

    /// The requests that differ in one bit of this part, one for each of its bytes, as far as they can
    /// arrive.
    package func changes(of request: HTTP.Request, _ random: inout SeededGenerator) -> [HTTP
        .Request]
    {
        let bytes = bytes(of: request)
        return bytes.indices.compactMap { index in
            var changed = bytes
            changed[index] ^= 1 << UInt8.random(in: 0...7, using: &random)
            return replacing(changed, in: request)
        }
    }

    private func bytes(of request: HTTP.Request) -> [UInt8] {
        switch self {
        case .method: Array(request.method.rawValue.utf8)
        case .authority: Array((request.url.origin?.authority ?? "").utf8)
        case .target: Array(request.url.requestTarget.utf8)
        case .body: Array(request.body.inMemory ?? Data())
        case .field(let name): Array((request.headers[name] ?? "").utf8)
        }
    }

    private func replacing(_ bytes: [UInt8], in request: HTTP.Request) -> HTTP.Request? {
        var changed = request
        if self == .body {
            changed.body = .bytes(bytes)
            return changed
        }
        guard let text = String(validating: bytes, as: UTF8.self) else { return nil }
        switch self {
        case .method: changed.method = HTTP.Method(rawValue: text)
        case .authority:
            changed.url = HTTP.URL("https://\(raw: text)\(raw: request.url.requestTarget)")
        case .target:
            let authority = request.url.origin?.authority ?? ""
            changed.url = HTTP.URL("https://\(raw: authority)\(raw: text)")
        case .field(let name): changed.headers[name] = text
        case .body: return nil
        }
        // What arrives may be what no client sends, as with control characters.
        let isComplete = changed.headers.problem == nil && (try? changed.url.validate()) != nil
        return isComplete ? changed : nil
    }
}
