import Expectations
import InterceptorKit
import TestSupport
import Testing

@Suite("TimeoutField")
struct TimeoutFieldTests {
    private static let milliseconds = HTTP.TimeoutField.milliseconds("X-Time")
    private static let seconds = HTTP.TimeoutField.seconds("X-Time")

    @Test(
        "reads milliseconds",
        arguments: [
            ("0", Duration.zero), ("1", .milliseconds(1)), (" 250 ", .milliseconds(250)),
            ("999999999999999", .milliseconds(999_999_999_999_999)),
        ]
    )
    func readsMilliseconds(text: String, time: Duration) {
        expectEqual(Self.milliseconds.time(in: ["X-Time": text]), time)
    }

    @Test(
        "reads seconds with decimals",
        arguments: [
            ("0", Duration.zero), ("2.5", .milliseconds(2500)), ("0.001", .milliseconds(1)),
            ("1.25", .milliseconds(1250)), ("999999999999.999", .milliseconds(999_999_999_999_999)),
        ]
    )
    func readsSeconds(text: String, time: Duration) {
        expectEqual(Self.seconds.time(in: ["X-Time": text]), time)
    }

    @Test(
        "reads every unit of gRPC",
        arguments: [
            ("2H", Duration.seconds(7200)), ("3M", .seconds(180)), ("4S", .seconds(4)),
            ("5m", .milliseconds(5)), ("6u", .microseconds(6)), ("7n", .nanoseconds(7)),
            ("99999999H", .seconds(99_999_999 * 3600)),
        ]
    )
    func readsGRPC(text: String, time: Duration) {
        expectEqual(HTTP.TimeoutField.gRPC.time(in: ["grpc-timeout": text]), time)
    }

    @Test(
        "reads nothing from a malformed field",
        arguments: [
            "", "-1", "+1", "1e3", "1.", ".5", "1.2345", "0x10", "1,2", "١", "1 2",
            "9999999999999999999999", "1234567890123.0",
        ]
    )
    func malformed(text: String) {
        expectEqual(Self.seconds.time(in: ["X-Time": text]), nil)
        expectEqual(Self.milliseconds.time(in: ["X-Time": text + "x"]), nil)
        expectEqual(HTTP.TimeoutField.gRPC.time(in: ["grpc-timeout": text]), nil)
        expectTrue(
            HTTP.TimeoutField.gRPC.time(in: ["grpc-timeout": text + "S"]) == nil || text == "1 2"
        )
    }

    @Test("reads nothing from two fields")
    func twice() {
        let headers: HTTP.Headers = ["X-Time": "1", "x-time": "2"]

        expectEqual(Self.milliseconds.time(in: headers), nil)
        expectEqual(Self.milliseconds.time(in: [:]), nil)
    }

    @Test("writes a time rounded down")
    func writes() {
        expectEqual(Self.milliseconds.text(for: .microseconds(1999)), "1")
        expectEqual(Self.milliseconds.text(for: .seconds(-1)), "0")
        expectEqual(Self.seconds.text(for: .milliseconds(1050)), "1.050")
        expectEqual(Self.seconds.text(for: .zero), "0.000")
        expectEqual(HTTP.TimeoutField.gRPC.text(for: .milliseconds(99_999_999)), "99999999m")
        expectEqual(HTTP.TimeoutField.gRPC.text(for: .milliseconds(100_000_999)), "100000S")
        expectEqual(HTTP.TimeoutField.gRPC.text(for: .seconds(Int64.max)), "99999999S")
    }
}
