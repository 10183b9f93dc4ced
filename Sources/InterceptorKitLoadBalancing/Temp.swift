public import InterceptorKit

extension HTTP {
    public struct ConnectAddress: Hashable, Sendable, CustomStringConvertible {
        public let host: String; public let port: Int
        public init(host: String, port: Int) { self.host = host; self.port = port }
        public func validate() throws {}
        public var description: String { "\(host):\(port)" }
    }
}
enum TmpKey: CallKey { static let defaultValue: HTTP.ConnectAddress? = nil }
enum TmpKey2: CallKey { static let defaultValue: String? = nil }
extension Call {
    public var connectAddress: HTTP.ConnectAddress? {
        get { self[TmpKey.self] }
        set { self[TmpKey.self] = newValue }
    }
    public var authority: String? {
        get { self[TmpKey2.self] }
        set { self[TmpKey2.self] = newValue }
    }
}
