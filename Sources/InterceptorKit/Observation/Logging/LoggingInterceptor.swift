#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// Logs requests and responses in readable form, without their secrets.
///
/// ```swift
/// LoggingInterceptor()  // a line for each pass, on standard error
/// LoggingInterceptor(.bodies) { record in await log.append(record) }  // with bodies
/// ```
///
/// It logs messages as they are at its place in the chain: outermost, as the caller wrote them, once per call; below
/// the retry, as they are sent, once per attempt. A body is logged as far as its reader reads it, so a stream is not
/// buffered. Records reach the output whole, in order and off the call's path: an output that is slow, throws or never
/// returns delays no call; see ``missed``.
public struct LoggingInterceptor: Interceptor {
    /// The amount of detail in the log.
    public enum Detail: Sendable, Hashable {
        /// A line for each pass.
        case line
        /// A block for the request and one for the response's head, with the sizes of the bodies. If a response's size
        /// isn't known beforehand, a line with it follows once the body was read.
        case fields
        /// Blocks with the beginning of bodies; a response's block is written once its body was read.
        case bodies
    }

    /// The default limit for the logged part of a body: 8 KiB.
    public static let defaultBodyLimit = 8 << 10

    private var detail: Detail
    private let bodyLimit: Int
    private let redaction: Redaction?
    private let delivery: OrderedDelivery<String>

    /// Creates an interceptor.
    /// - Parameters:
    ///   - detail: The amount of detail. Defaults to a line for each pass.
    ///   - redaction: Decides which parts are shown. Defaults to the call's own, ``Call/redaction``.
    ///   - bodyLimit: The largest logged part of a body, in bytes. Defaults to ``defaultBodyLimit``.
    ///   - runtime: Runs the task that writes. Defaults to the live runtime.
    ///   - output: Receives each record, without a line break at its end. Errors that it throws are only counted, in
    ///     ``failures``. Defaults to standard error, with one write per record.
    public init(
        _ detail: Detail = .line,
        redaction: Redaction? = nil,
        bodyLimit: Int = defaultBodyLimit,
        runtime: Runtime = .live,
        to output: (@Sendable (_ record: String) async throws -> Void)? = nil
    ) {
        self.detail = detail
        self.bodyLimit = max(0, bodyLimit)
        self.redaction = redaction
        let output = output ?? { writeToStandardError($0) }
        delivery = OrderedDelivery("log output", buffering: 1024, on: runtime, output)
    }

    /// The number of records dropped because more than 1,024 waited for a slow output.
    public var missed: Int { delivery.counts.missed }

    /// The number of times that the output threw.
    public var failures: Int { delivery.counts.failures }

    /// Returns when everything logged so far has been written.
    public func flush() async { await delivery.flush() }

    public nonisolated(nonsending) func intercept(
        chain: InterceptorChain<HTTP.Request>
    ) async throws -> HTTP.Response {
        let text = LogText(redaction: redaction ?? chain.call.redaction)
        if detail != .line {
            let limit = detail == .bodies ? bodyLimit : nil
            delivery.add(text.request(chain.input, chain.call, bodyLimit: limit))
        }
        return try await watch(text).pass(chain)
    }

    /// Returns an interceptor that writes to the same output, in order with this one.
    func sharingOutput(_ detail: Detail) -> LoggingInterceptor {
        var other = self
        other.detail = detail
        return other
    }

    private func watch(_ text: LogText) -> ExchangeObserver {
        let delivery = delivery
        switch detail {
        case .line:
            return ExchangeObserver(bodyLimit: nil) { delivery.add(text.line($0)) }
        case .fields:
            return ExchangeObserver(bodyLimit: 0) {
                delivery.add(text.response($0))
            } onEnd: { exchange, body, end in
                if exchange.size == nil { delivery.add(text.size(of: body, exchange, end)) }
            }
        case .bodies:
            return ExchangeObserver(bodyLimit: bodyLimit) { exchange in
                if case .failure = exchange.outcome { delivery.add(text.response(exchange)) }
            } onEnd: { exchange, body, end in
                delivery.add(text.response(exchange, body, endedAt: end))
            }
        }
    }
}

/// Writes a record and a line break at once, so that records of several processes do not mix.
func writeToStandardError(_ record: String) {
    let line = Array((record + "\n").utf8)
    var written = 0
    while written < line.count {
        // Safety: the buffer is the part of the line not yet written, lent for one call with its
        // own count.
        let count = unsafe line[written...].withUnsafeBytes { bytes in
            unsafe write(STDERR_FILENO, bytes.baseAddress, bytes.count)
        }
        if count < 0, errno == EINTR { continue }
        // There is nowhere to report the error.
        guard count > 0 else { return }
        written += count
    }
}
