// Foundation as on Apple's platforms: with URLSession, and with what Foundation on Linux lacks of it.
@_exported import Dispatch
@_exported import Foundation
@_exported import FoundationNetworking

public final class CFRunLoop {}
public final class CFArray {}

extension Array {
    public var asCFArray: CFArray { CFArray() }
}

public func CFRunLoopGetCurrent() -> CFRunLoop { CFRunLoop() }
public func CFRunLoopWakeUp(_ loop: CFRunLoop) {}
public func CFRunLoopPerformBlock(_ loop: CFRunLoop, _ mode: CFArray, _ block: @escaping () -> Void) {}

// Those of Foundation on Linux are unavailable, so Scripts/check-apple renames them.
public let AppleURLAuthenticationMethodServerTrust = "NSURLAuthenticationMethodServerTrust"
public let AppleURLAuthenticationMethodClientCertificate = "NSURLAuthenticationMethodClientCertificate"

// What TrustPolicy uses of Security, beside URLProtectionSpace.
public final class SecTrust {}
public final class SecCertificate {}
public func SecTrustEvaluateWithError(_ trust: SecTrust, _ error: UnsafeMutablePointer<AnyObject?>?) -> Bool { false }
public func SecTrustCopyCertificateChain(_ trust: SecTrust) -> AnyObject? { nil }
public func SecCertificateCopyData(_ certificate: SecCertificate) -> Data { Data() }
extension URLProtectionSpace {
    public var serverTrust: SecTrust? { nil }
}
