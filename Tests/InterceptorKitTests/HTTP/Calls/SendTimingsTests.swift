import Expectations
import InterceptorKit
import InterceptorKitTesting
import Testing

@Suite("SendTimings")
struct SendTimingsTests {
    @Test("are reported as far as they happened")
    func reporting() {
        let sink = RecordingEventSink()
        let call = Call(events: sink)

        call.report(HTTP.SendTimings(connect: .zero, firstByte: .seconds(2)))
        call.report(HTTP.SendTimings(nameLookup: .seconds(1), tls: .seconds(3)))

        let keys = sink.events.map { $0.attributes.map(\.key).sorted() }
        expectEqual(
            keys,
            [
                ["connect", "connection.reused", "first_byte"],
                ["connection.reused", "name_lookup", "tls"],
            ]
        )
        expectEqual(
            sink.events.map { $0.attributes["connection.reused"] },
            [.flag(false), .flag(true)]
        )
        expectEqual(sink.events[0].attributes["first_byte"], .duration(.seconds(2)))
        expectEqual(sink.names, [.sendTimed, .sendTimed])
    }
}
