// What the guide FromSwiftInterceptor shows.
import InterceptorKit
import InterceptorKitTransport

struct NoTitle: Error {}

// snippet.interceptor
struct Incrementing: Interceptor {
    func intercept(chain: InterceptorChain<Int>) async throws -> Int {
        let output = try await chain.proceed(chain.input + 1)
        return output * 10
    }
}
// snippet.end

// snippet.listener
struct Doubling: Transport {
    func send(_ input: Int, call: Call) async throws -> Int { input * 2 }
}
// snippet.end

func once() async throws -> Int {
    // snippet.once
    let output = try await InterceptorChain(input: 20, transport: Doubling())
        .add(interceptor: Incrementing())
        .proceed()
    print(output)  // 420
    // snippet.end
    return output
}

func often() async throws {
    // snippet.pipeline
    let pipeline = try Pipeline(transport: Doubling()) {
        Incrementing()
        AnyInterceptor<Int>("limit") { chain in
            chain.input > 1_000 ? 0 : try await chain.proceed()
        }
    }
    let outputs = [try await pipeline.run(20), try await pipeline.run(5_000)]
    print(outputs)  // [420, 0]
    // snippet.end
}

// snippet.types
struct Page: Interceptable {
    typealias Output = String?
    var number: Int
}

struct Numbering: Interceptor {
    func intercept(chain: InterceptorChain<Page>) async throws -> String? {
        guard let title = try await chain.proceed() else { throw NoTitle() }
        return "\(chain.input.number). \(title)"
    }
}
// snippet.end
