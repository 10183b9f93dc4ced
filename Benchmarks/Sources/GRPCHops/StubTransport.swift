public import GRPCCore

/// A transport whose streams lead nowhere: the last interceptor answers instead.
public struct StubTransport: ClientTransport {
    public typealias Bytes = [UInt8]

    public init() {}

    public var retryThrottle: RetryThrottle? { nil }

    public func connect() async throws {}

    public func beginGracefulShutdown() {}

    public func config(forMethod descriptor: MethodDescriptor) -> MethodConfig? { nil }

    public func withStream<T: Sendable>(
        descriptor: MethodDescriptor,
        options: CallOptions,
        _ closure: (
            _ stream: RPCStream<Inbound, Outbound>,
            _ context: ClientContext
        ) async throws -> T
    ) async throws -> T {
        let stream = RPCStream(
            descriptor: descriptor,
            inbound: Inbound(wrapping: Parts([])),
            outbound: Outbound(wrapping: Drain())
        )
        let context = ClientContext(descriptor: descriptor, remotePeer: "", localPeer: "")
        return try await closure(stream, context)
    }
}

private struct Drain: ClosableRPCWriterProtocol {
    func write(_ element: RPCRequestPart<[UInt8]>) async throws {}
    func write(contentsOf elements: some Sequence<RPCRequestPart<[UInt8]>>) async throws {}
    func finish() async {}
    func finish(throwing error: any Error) async {}
}

/// Codes a number that never reaches a wire.
public struct IntCoder: MessageSerializer, MessageDeserializer {
    public typealias Message = Int

    public init() {}

    public func serialize<Bytes: GRPCContiguousBytes>(_ message: Int) throws -> Bytes {
        Bytes(repeating: 0, count: 0)
    }

    public func deserialize<Bytes: GRPCContiguousBytes>(_ bytes: Bytes) throws -> Int { 0 }
}
