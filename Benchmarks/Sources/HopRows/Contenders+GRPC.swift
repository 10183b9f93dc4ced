import GRPCCore
import GRPCHops

extension Contenders {
    static let grpc = Contender(
        .peer,
        "gRPC Swift",
        .passOwn,
        loop: { depth in
            var interceptors: [any ClientInterceptor] = Array(
                repeating: PassingInterceptor(),
                count: depth
            )
            interceptors.append(AnsweringInterceptor(answer: 200))
            let client = GRPCClient(transport: StubTransport(), interceptors: interceptors)
            let method = MethodDescriptor(fullyQualifiedService: "hop", method: "pass")
            return { count in
                var sum = 0
                for _ in 0..<count {
                    sum &+= try await client.unary(
                        request: ClientRequest(message: 1),
                        descriptor: method,
                        serializer: IntCoder(),
                        deserializer: IntCoder(),
                        options: .defaults,
                        onResponse: { try $0.message }
                    )
                }
                return sum
            }
        }
    )
}
