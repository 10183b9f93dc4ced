import InterceptorKit

@testable import InterceptorKitLoopback

/// What a writer makes of a reply, a text each step.
func steps(
    _ reply: LoopbackServer.Reply,
    _ method: HTTP.Method = .get,
    keepsAlive: Bool = true
) -> [String] {
    ReplyWriter(reply, method: method, keepsAlive: keepsAlive).steps.map { step in
        switch step {
        case .bytes(let bytes): String(decoding: bytes, as: UTF8.self)
        case .wait(let duration): "wait \(duration)"
        case .close: "close"
        case .reset: "reset"
        case .stall: "stall"
        case .stream: "stream"
        }
    }
}
