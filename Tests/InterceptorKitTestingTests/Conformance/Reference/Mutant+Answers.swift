import ConformanceReference
import Foundation
import InterceptorKit

@testable import InterceptorKitConformance

extension Mutant {
    static let answers: [Mutant] = [
        .delivered("throws on an error status") {
            if $0.status.code >= 400 { throw TransportError(.other, "\($0.status)") }
        },
        .delivered("rounds statuses") { $0.status = HTTP.Status($0.status.code / 100 * 100) },
        .delivered("takes 205 for 200") { if $0.status == 205 { $0.status = 200 } },
        Mutant("wants a reason phrase", .wantsReason),
        Mutant("wants HTTP/1.1", .refusesHTTP10),
        Mutant("wants a blank after the colon", .wantsBlankAfterColon),
        Mutant("wants UTF-8 in fields", .wantsUTF8),
        .delivered("delivers no fields") { $0.headers = [:] },
        .delivered("delivers the last of repeated fields") { response in
            for name in Set(response.headers.map(\.name)) {
                response.headers[name] = response.headers.values(name).last
            }
        },
        .delivered("joins cookies") { response in
            let joined = response.headers["Set-Cookie"]
            response.headers["Set-Cookie"] = joined
        },
        .delivered("drops empty fields") { response in
            response.headers = HTTP.Headers(
                response.headers.filter { !$0.value.isEmpty }.map { ($0.name, $0.value) }
            )
        },
        .delivered("delivers values without quotes") { response in
            response.headers = mapped(response.headers) { $0.replacing("\"", with: "") }
        },
        .delivered("delivers cut values") { response in
            response.headers = mapped(response.headers) { String($0.prefix(4_000)) }
        },
        .delivered("delivers at most a hundred fields") {
            $0.headers = HTTP.Headers($0.headers.prefix(100).map { ($0.name, $0.value) })
        },
        .delivered("delivers ASCII alone") { response in
            response.headers = mapped(response.headers) { $0.filter(\.isASCII) }
        },
        .delivered("hyphens around values") { response in
            response.headers = mapped(response.headers) { "-\($0)-" }
        },
        .body("loses the last byte") { Data($0.dropLast()) },
        .body("delivers bodies as text") { Data(String(decoding: $0, as: UTF8.self).utf8) },
        .body("delivers cut bodies") { Data($0.prefix(65_536)) },
        .body("gives an empty body a byte") { $0.isEmpty ? Data([0]) : $0 },
        .delivered("does not know the length") { response in
            let body = response.body
            response.body = .oneShot(ForwardedBody(body))
        },
        Mutant("takes no chunk extensions", .refusesExtensions),
        Mutant("takes no sizes in capitals", .wantsLowerCaseSizes),
        Mutant("takes no trailers", .refusesTrailers),
        Mutant("takes no body without a length", .ignoresCloseDelimitedBodies),
        Mutant("reads past a body", .readsPastBody),
        Mutant("expects a body always", .expectsBodyAlways, hangs: true),
        Mutant("takes a 102 for the response", .takesInterimForFinal),
        Mutant("keeps the fields of a 103", .mergesInterimFields),
        Mutant("collects a body before it delivers it", .collectsResponseBodies, hangs: true),
        .delivered("lets bodies be read again") { response in
            let body = try await response.body.collect(upTo: 64 << 20)
            response.body = .bytes(body)
        },
        .delivered("drops what is read late") { response in
            let body = response.body
            let stream = ForwardedBody(body)
            response.body = .oneShot(length: body.length, LateBody(stream))
        },
        .delivered("calls a coded body uncoded") { $0.headers["Content-Encoding"] = nil },
        .delivered("drops the coding of a response to HEAD") {
            if $0.request?.method == .head { $0.headers["Content-Length"] = nil }
        },
        .delivered("states a length that is not the body's") {
            if $0.headers.contains("Content-Encoding") { $0.headers["Content-Length"] = "5" }
        },
        Mutant("takes any status line", .takesAnyStatusLine),
        Mutant("takes any field", .takesAnyField),
        Mutant("takes any chunk size", .takesAnyChunkSize),
        Mutant("takes any length", .takesAnyLength),
        Mutant("takes any end for the body's", .takesAnyEndForTheBodysEnd),
        Mutant("takes any end for the head's", .takesAnyEndForTheHeadsEnd),
        Mutant("takes a reset for the end", .takesResetForTheEnd),
        Mutant("calls everything unsent", .callsEverythingUnsent),
        Mutant("calls nothing unsent", .callsNothingUnsent),
        Mutant("gives every failure one name", .callsEverythingOther),
        Mutant("names the target in errors", .namesTheTarget),
        Mutant("stops after a failure", .stopsAfterFailure),
    ]

    private static func mapped(
        _ headers: HTTP.Headers,
        _ change: (String) -> String
    ) -> HTTP.Headers {
        HTTP.Headers(headers.map { ($0.name, change($0.value)) })
    }
}
