// For `localizedDescription`, which the essentials do not have.
import Expectations
import Foundation
import InterceptorKit
import InterceptorKitInspection
import InterceptorKitTesting
import TestRun
import TestSupport
import Testing

@Suite("A planted secret", .tags(.slow), .processorBound)
struct PlantedSecretTests {
    @Test("is in no output, whatever its place and name", arguments: PlantedSecret.all)
    func planted(row: PlantedSecret) async throws {
        let outputs = try await Self.outputs(of: row)

        expectTrue(outputs.count >= 30)
        for (channel, text) in outputs {
            expectTrue(!text.contains(PlantedSecret.secret), "\(channel): \(text.prefix(2000))")
        }
    }

    @Test("is planted in more than 1,600 rows")
    func rows() {
        expectTrue(PlantedSecret.all.count > 1600)
    }

    private static func outputs(of row: PlantedSecret) async throws -> [(String, String)] {
        var outputs = shapes(of: row.request, "request") + shapes(of: row.request.url, "url")
        outputs += shapes(of: row.headers, "fields") + shapes(of: row.response(200), "response")
        for field in row.headers { outputs += shapes(of: field, "field") }
        outputs.append(("curl", row.request.curlCommand()))
        let cause = TransportError(.other, "\(row.url) \(row.message)", cause: EngineFault(row))
        outputs += shapes(of: cause, "transport error")
        outputs += shapes(of: TimeoutError(.attempt, limit: .seconds(1), cause: cause), "timeout")
        outputs.append(("localized", cause.localizedDescription))
        for failure in [nil, cause] { outputs += try await watched(row, failure) }
        return outputs
    }

    private static func shapes<Value>(of value: Value, _ name: String) -> [(String, String)] {
        var dumped = ""
        dump(value, to: &dumped)
        let children = Mirror(reflecting: value).children.map { "\($0.label ?? ""): \($0.value)" }
        return [
            ("\(name) described", "\(value)"), ("\(name) reflected", String(reflecting: value)),
            ("\(name) dumped", dumped), ("\(name) mirrored", children.joined(separator: "\n")),
        ]
    }

    /// What all that watch a call write of it.
    private static func watched(
        _ row: PlantedSecret,
        _ failure: TransportError?
    ) async throws -> [(String, String)] {
        let sink = RecordingEventSink()
        let page = Timeline()
        let records = Recorder<String>()
        let log = LoggingInterceptor(.bodies) { records.note($0) }
        let lines = LoggingInterceptor(.line) { records.note($0) }
        let recorder = HARRecorder(bodyLimit: 1 << 20)
        let transport = CannedTransport {
            if let failure { throw failure }
            return row.response(400)
        }
        let pipeline = try Pipeline(
            transport: transport,
            events: CompositeEventSink([sink, page])
        ) {
            ErrorFilterInterceptor()
            log
            lines
            recorder
        }
        var outputs: [(String, String)] = []
        do {
            _ = try await pipeline.run(row.request)
        } catch {
            outputs += shapes(of: error, "error")
            outputs.append(("error localized", error.localizedDescription))
            if let problem = (error as? ResponseError)?.problem {
                outputs += shapes(of: problem, "problem")
            }
        }
        await log.flush()
        await lines.flush()
        let attributes = sink.events.flatMap { $0.attributes.map { "\($0): \($1)" } }
        outputs += [
            ("events", sink.timeline + attributes.joined(separator: "\n")),
            ("log", records.entries.joined(separator: "\n")), ("page", page.html()),
            ("archive", try shown(recorder.archive)),
        ]
        return outputs
    }

    // Also what is Base64 in it.
    private static func shown(_ archive: HAR) throws -> String {
        let bodies = archive.log.entries.flatMap {
            [$0.request.postData?.text, $0.response.content.text]
        }
        let binary = bodies.compactMap { $0.flatMap { Data(base64Encoded: $0) } }
        return String(decoding: try archive.json(), as: UTF8.self)
            + binary.map { String(decoding: $0, as: UTF8.self) }.joined()
    }
}

/// An engine's own error, which tells all there is.
private struct EngineFault: Error {
    let url: String
    let text: String

    init(_ row: PlantedSecret) {
        url = row.url
        text = row.message
    }
}
