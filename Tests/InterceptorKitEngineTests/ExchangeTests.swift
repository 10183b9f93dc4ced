import Expectations
import Foundation
import InterceptorKit
import InterceptorKitTesting
import Synchronization
import Testing

@testable import InterceptorKitEngine

@Suite("Exchange")
struct ExchangeTests {
    private let driver = Driver()

    private func head(before deadline: Duration? = nil) async throws -> ResponseHead {
        let runtime = Runtime.live
        return try await driver.head(
            before: deadline.map { runtime.now.advanced(by: $0) },
            on: runtime,
            timer: "deadline"
        )
    }

    @Test("converts the head's fields once, when its caller has it")
    func conversion() async throws {
        let source = Source()
        driver.whenStarted { $0.handle(.head(ResponseHead(status: 200, source))) }

        let head = try await head()

        expectEqual(head.headers, ["X-A": "1"])
        expectEqual(head.headers["X-A"], "1")
        expectEqual(source.conversions, 1)
    }

    @Test("converts no fields of a head that nobody waits for any more")
    func unwanted() async {
        let source = Source()
        driver.whenStarted { driver in
            driver.handle(.failed(.closed))
            driver.handle(.head(ResponseHead(status: 200, source)))
        }

        let error = await #expect(throws: TransportError.self) { try await head() }

        expectEqual(error?.code, .closed)
        expectEqual(source.conversions, 0)
    }

    @Test("fails at the deadline, and stops its engine")
    func deadline() async {
        let error = await #expect(throws: TransportError.self) { try await head(before: .zero) }

        expectEqual(error?.code, .timedOut)
        expectEqual(driver.stops, 1)
    }

    @Test("returns what is here before it says that it is over")
    func order() async throws {
        driver.whenStarted { driver in
            driver.handle(.head(Sample.head))
            driver.handle(.chunk(Sample.one))
            driver.handle(.completed(.init(Sample.lost)))
        }
        _ = try await head()

        let chunk = try await driver.nextChunk()
        let error = await #expect(throws: Driver.Translated.self) { try await driver.nextChunk() }

        expectEqual(chunk, Sample.one)
        expectEqual(error?.isInBody, true)
    }

    @Test("gives others a turn although every chunk is here when it is read")
    @MainActor
    func turns() async throws {
        driver.whenStarted { $0.handle(.head(Sample.head)) }
        _ = try await head()
        var hadTurn = false
        let other = Task { @MainActor in hadTurn = true }

        for _ in 0..<64 {
            driver.handle(.chunk(Sample.one))
            _ = try await driver.nextChunk()
        }

        expectTrue(hadTurn)
        await other.value
    }

    @Test("gives a second reader an error, and the first its chunk")
    func secondReader() async throws {
        driver.whenStarted { $0.handle(.head(Sample.head)) }
        _ = try await head()

        await withTaskGroup(of: Result<Data?, any Error>.self) { readers in
            for _ in 0..<2 {
                readers.addTask { [driver] in
                    do { return .success(try await driver.nextChunk()) } catch {
                        return .failure(error)
                    }
                }
            }
            let refused = await readers.next()
            driver.handle(.chunk(Sample.one))
            let served = await readers.next()

            #expect(throws: TransportError.self) { try refused?.get() }
            #expect(throws: Never.self) { try requireEqual(served?.get(), Sample.one) }
        }
    }

    @Test("ends with its body")
    func dropped() async throws {
        driver.whenStarted { $0.handle(.head(Sample.head)) }
        _ = try await head()

        _ = ResponseBodyStream(driver)

        expectEqual(driver.stops, 1)
    }
}

private final class Source: HeaderSource {
    private let count = Mutex(0)

    var conversions: Int { count.withLock(\.self) }

    func makeHeaders() -> HTTP.Headers {
        count.withLock { $0 += 1 }
        return ["X-A": "1"]
    }
}

private final class Driver: ExchangeDriver {
    struct Translated: Error { let isInBody: Bool }

    let exchange = Exchange(limits: .init(memory: 20_000, files: nil))
    let host = "a.test:80"
    private let action = Mutex<@Sendable (Driver) -> Void>({ _ in })
    private let counted = Mutex(0)

    var stops: Int { counted.withLock(\.self) }

    func whenStarted(_ action: @escaping @Sendable (Driver) -> Void) {
        self.action.withLock { $0 = action }
    }

    func start() { action.withLock(\.self)(self) }

    func stop() { counted.withLock { $0 += 1 } }

    func error(for failure: any Error, isInBody: Bool) -> any Error {
        Translated(isInBody: isInBody)
    }
}
