// What the sources use of CryptoKit.
public protocol Digest: Sendable {
    func withUnsafeBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result
}

public protocol HashFunction {
    associatedtype HashDigest: Digest
    init()
    mutating func update(bufferPointer: UnsafeRawBufferPointer)
    func finalize() -> HashDigest
}

public struct SomeDigest: Digest {
    public func withUnsafeBytes<Result>(
        _ body: (UnsafeRawBufferPointer) throws -> Result
    ) rethrows -> Result { fatalError() }
}

public struct SomeHash: HashFunction, Sendable {
    public init() {}
    public mutating func update(bufferPointer: UnsafeRawBufferPointer) {}
    public func finalize() -> SomeDigest { SomeDigest() }
}

public enum Insecure {
    public typealias MD5 = SomeHash
    public typealias SHA1 = SomeHash
}
public typealias SHA256 = SomeHash
public typealias SHA384 = SomeHash
public typealias SHA512 = SomeHash
