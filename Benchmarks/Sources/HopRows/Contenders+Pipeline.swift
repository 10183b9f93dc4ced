import GenericHops
import InterceptorHops
import InterceptorKit

extension Contenders {
    static let pipelines: [Contender] = [
        int("InterceptorKit", .passInt, PassingInt()),
        request("InterceptorKit", .passRequest, PassingRequest()),
        int("InterceptorKit, new call a run", .passInt, PassingInt(), newCall: true),
        request("InterceptorKit, new call a run", .passRequest, PassingRequest(), newCall: true),
        int("InterceptorKit, generic", .passInt, Generic<Int>()),
        request("InterceptorKit, generic", .passRequest, Generic<HTTP.Request>()),
        int("InterceptorKit, proceed(changing:)", .changeInt, EditingInt()),
        int("InterceptorKit, proceed(_:)", .changeInt, ReplacingInt()),
        request(
            "InterceptorKit, proceed(changing:)",
            .changeRequest,
            EditingRequest(method: method)
        ),
        request(
            "InterceptorKit, proceed(consume)",
            .changeRequest,
            ReplacingRequest(method: method)
        ),
    ]

    private static func int(
        _ name: String,
        _ work: Contender.Work,
        _ interceptor: any Interceptor<Int>,
        newCall: Bool = false
    ) -> Contender {
        Contender(.interceptorKit, name, work) { depth in
            let pipeline = try Pipeline(
                Array(repeating: interceptor, count: depth),
                transport: IntTransport()
            )
            let call = newCall ? nil : Call()
            return { count in
                var sum = 0
                for _ in 0..<count { sum &+= try await pipeline.run(1, call: call) }
                return sum
            }
        }
    }

    private static func request(
        _ name: String,
        _ work: Contender.Work,
        _ interceptor: any Interceptor<HTTP.Request>,
        newCall: Bool = false
    ) -> Contender {
        Contender(.interceptorKit, name, work) { depth in
            let pipeline = try Pipeline(
                Array(repeating: interceptor, count: depth),
                transport: RequestTransport(method: method)
            )
            let call = newCall ? nil : Call()
            return { count in
                var sum = 0
                for _ in 0..<count {
                    sum &+= try await pipeline.run(request, call: call).status.code
                }
                return sum
            }
        }
    }
}
