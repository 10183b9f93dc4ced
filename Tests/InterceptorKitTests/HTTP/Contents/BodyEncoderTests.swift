import Expectations
import InterceptorKit
import InterceptorKitTesting
import TestSupport
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

@Suite("HTTP.BodyEncoder")
struct BodyEncoderTests {
    private struct Order: Codable, Sendable {
        var at: Date
    }

    private struct Measure: Encodable {
        var values: [Double]
    }

    @Test("writes JSON with an encoder configured for each value")
    func json() async throws {
        let encoder: HTTP.BodyEncoder<Order> = .json { $0.dateEncodingStrategy = .secondsSince1970 }

        let content = try encoder.encode(Order(at: Date(timeIntervalSince1970: 7)))

        expectEqual(content.mediaType, "application/json")
        expectEqual(content.body.inMemory, Data(#"{"at":7}"#.utf8))
    }

    @Test("writes forms, percent-encoded and in order")
    func form() throws {
        let content = try HTTP.BodyEncoder.form.encode(["b": "1 +&", "a": "ä=", "b": ""])
        let request = HTTP.Request.post(orders).form(["b": "1 +&"])

        expectEqual(content.mediaType, "application/x-www-form-urlencoded")
        expectEqual(content.body.inMemory, Data("b=1%20%2B%26&a=%C3%A4%3D&b=".utf8))
        expectEqual(request.headers["Content-Type"], "application/x-www-form-urlencoded")
        expectEqual(request.body.inMemory, Data("b=1%20%2B%26".utf8))
        let named = HTTP.Request.post(orders, headers: ["content-type": "own"]).form(["a": "b"])
        expectEqual(named.headers.values("Content-Type"), ["own"])
    }

    @Test("writes multipart forms, and replaces another Content-Type")
    func multipart() throws {
        let form = HTTP.Multipart([.field("a", "b")], boundary: "B")

        let content = try HTTP.BodyEncoder.multipart.encode(form)
        let request = try HTTP.Request.post(
            orders,
            headers: ["Content-Type": "multipart/form-data"]
        )
        .multipart(form)

        expectEqual(content.mediaType, "multipart/form-data; boundary=B")
        expectEqual(request.headers.values("Content-Type"), ["multipart/form-data; boundary=B"])
        expectEqual(request.body.inMemory, content.body.inMemory)
    }

    @Test("passes bodies through unchanged")
    func body() throws {
        let content = try HTTP.BodyEncoder.body("image/png").encode(.file("7.png"))

        expectEqual(content.mediaType, "image/png")
        expectEqual(content.body.file?.path, "7.png")
    }

    @Test("names type and coding path of a value it can't encode, not the value")
    func failure() {
        let error = #expect(throws: HTTP.ContentError.self) {
            try HTTP.BodyEncoder<Measure>.json.encode(Measure(values: [1, .infinity]))
        }

        expectEqual(error?.code, .cannotEncode)
        expectTrue(error?.cause is EncodingError)
        expectEqual(
            error?.message,
            "A value of the type Measure cannot be encoded at \"values.1\": the encoder "
                + "cannot express the value there."
        )
    }

    @Test("names the type when a custom encoder fails, and keeps body errors")
    func ownFailure() {
        let own = HTTP.BodyEncoder<Int> { _, _ in throw Problem(text: "geheim") }
        let missing = HTTP.BodyEncoder<HTTP.Multipart>.multipart

        let error = #expect(throws: HTTP.ContentError.self) { try own.encode(7) }
        let second = #expect(throws: HTTP.ContentError.self) {
            try missing.encode(HTTP.Multipart(boundary: ""))
        }

        expectEqual(
            error?.message,
            "A value of the type Int cannot be encoded: it failed with Problem."
        )
        expectEqual(second?.code, .invalidBoundary)
        #expect(throws: HTTP.ContentError.self) {
            try missing.encode(HTTP.Multipart([.file("f", at: "/nowhere/7.jpg")]))
        }
    }
}
