import Expectations
import Foundation
import InterceptorKit
import InterceptorKitForms
import Testing

private typealias Encoder = HTTP.URLEncodedFormEncoder

/// The rows of texts, keys, escapes and requests.
extension FormEncodingConformanceTests {
    var texts: [Row] {
        let date = ["date": Date(timeIntervalSinceReferenceDate: 123.456)]
        func dated(_ encoding: Encoder.DateEncoding) throws -> String {
            try form(date, Encoder(dateEncoding: encoding))
        }
        struct Problem: Error {}
        let data = ["data": Data("data".utf8)]
        return [
            (
                "booleans", "bool=true",
                { try form(["bool": true], Encoder(boolEncoding: .literal)) }
            ),
            ("Data", "data=ZGF0YQ%3D%3D", { try form(data) }),
            (
                "an error of a closure for Data", "Problem",
                { try cause(data, Encoder(dataEncoding: .custom { _ in throw Problem() })) }
            ),
            ("dates", "date=123.456", { try dated(.deferredToDate) }),
            ("dates in seconds", "date=978307323.456", { try dated(.secondsSince1970) }),
            ("dates in milliseconds", "date=978307323456.0", { try dated(.millisecondsSince1970) }),
            ("dates by ISO 8601", "date=2001-01-01T00%3A02%3A03Z", { try dated(.iso8601) }),
            (
                "dates of a formatter", "date=2001-01-01%2000%3A02%3A03.4560",
                { try dated(.custom { Self.formatter.string(from: $0) }) }
            ),
            (
                "dates of one's own", "date=123.456",
                { try dated(.custom { "\($0.timeIntervalSinceReferenceDate)" }) }
            ),
            (
                "an error of a closure for dates", "Problem",
                { try cause(date, Encoder(dateEncoding: .custom { _ in throw Problem() })) }
            ),
        ]
    }

    private static var formatter: DateFormatter {
        let formatter = DateFormatter()
        formatter.dateFormat = "yyyy-MM-dd HH:mm:ss.SSSS"
        formatter.timeZone = TimeZone(secondsFromGMT: 0)
        formatter.calendar = Calendar(identifier: .gregorian)
        return formatter
    }

    var keysAndNil: [Row] {
        let keys: [(String, Encoder.KeyEncoding)] = [
            ("one_two_three", .convertToSnakeCase), ("one-two-three", .convertToKebabCase),
            ("OneTwoThree", .capitalized), ("onetwothree", .lowercased),
            ("ONETWOTHREE", .uppercased), ("A", .custom { _ in "A" }),
        ]
        let dictionary: [String: String?] = ["a": nil]
        let nils: [(String, String, String, Encoder)] = [
            ("nil by default", "", "one=one", Encoder()),
            ("nil as null", "a=null", "one=one&two=null", Encoder(nilEncoding: .null)),
            ("nil without its key", "", "one=one", Encoder(nilEncoding: .dropKey)),
            ("nil without its value", "a=", "one=one&two=", Encoder(nilEncoding: .dropValue)),
        ]
        return keys.map { name, encoding in
            (
                "the key \(name)", "\(name)=oneTwoThree",
                { try form(["oneTwoThree": "oneTwoThree"], Encoder(keyEncoding: encoding)) }
            )
        }
            + nils.flatMap { name, first, second, encoder -> [Row] in
                [
                    (name, first, { try form(dictionary, encoder) }),
                    ("\(name) in a struct", second, { try form(OptionalValue(), encoder) }),
                ]
            }
    }

    var escapes: [Row] {
        let reserved = ":#[]@!$&'()*+,;="
        let alphabet = ["lowercase": "abcdefghijklmnopqrstuvwxyz", "numbers": "0123456789"]
        let languages = [
            "french": "français", "japanese": "日本語", "arabic": "العربية", "emoji": "😃",
        ]
        let chinese = String(repeating: "一二三四五六七八九十", count: 2000)
        return [
            (
                "spaces as plus signs", "spaces=replace+with+spaces",
                {
                    try form(
                        ["spaces": "replace with spaces"],
                        Encoder(spaceEncoding: .plusReplaced)
                    )
                }
            ),
            ("more characters escaped", "allowed=%3F%2F", { try form(["allowed": "?/"]) }),
            (
                "unreserved characters",
                "lowercase=abcdefghijklmnopqrstuvwxyz&numbers=0123456789", { try form(alphabet) }
            ),
            (
                "reserved characters",
                "reserved=%3A%23%5B%5D%40%21%24%26%27%28%29%2A%2B%2C%3B%3D",
                { try form(["reserved": reserved]) }
            ),
            (
                "illegal characters", "illegal=%20%22%23%25%3C%3E%5B%5D%5C%5E%60%7B%7D%7C",
                { try form(["illegal": " \"#%<>[]\\^`{}|"]) }
            ),
            (
                "ampersands", "foo%26bar=baz%26qux&foobar=bazqux",
                { try form(["foo&bar": "baz&qux", "foobar": "bazqux"]) }
            ),
            ("question marks", "?foo?=?bar?", { try form(["?foo?": "?bar?"]) }),
            ("slashes", "foo=/bar/baz/qux", { try form(["foo": "/bar/baz/qux"]) }),
            ("spaces", "%20foo%20=%20bar%20", { try form([" foo ": " bar "]) }),
            ("plus signs", "%2Bfoo%2B=%2Bbar%2B", { try form(["+foo+": "+bar+"]) }),
            ("percent signs", "percent%25=%2525", { try form(["percent%": "%25"]) }),
            (
                "other scripts",
                "arabic=%D8%A7%D9%84%D8%B9%D8%B1%D8%A8%D9%8A%D8%A9&emoji=%F0%9F%98%83&french=fran%C3%A7ais"
                    + "&japanese=%E6%97%A5%E6%9C%AC%E8%AA%9E",
                { try form(languages) }
            ),
            (
                "thousands of characters",
                "chinese="
                    + String(
                        repeating:
                            "%E4%B8%80%E4%BA%8C%E4%B8%89%E5%9B%9B%E4%BA%94%E5%85%AD%E4%B8%83%E5%85%AB"
                            + "%E4%B9%9D%E5%8D%81",
                        count: 2000
                    ),
                { try form(["chinese": chinese]) }
            ),
        ]
    }

    var requests: [Row] {
        let value = ["property": "property"]
        func sent(_ headers: HTTP.Headers) throws -> String {
            let request = HTTP.Request.post("/o", headers: headers)
            let form = try request.form(Encoder().encode(value), charset: .utf8)
            let body = String(decoding: form.body.inMemory ?? Data(), as: UTF8.self)
            return "\(form.headers["Content-Type"] ?? "") \(body)"
        }
        return [
            (
                "a form with its type",
                "application/x-www-form-urlencoded; charset=utf-8 property=property",
                { try sent([:]) }
            ),
            (
                "a form with another type", "type property=property",
                { try sent(["Content-Type": "type"]) }
            ),
            (
                "a query by options", "bool=true",
                {
                    let encoder = Encoder(boolEncoding: .literal)
                    return try HTTP.Request.get("/o", query: ["bool": true], by: encoder).url.query
                        ?? "none"
                }
            ),
            (
                "a query of a POST", "property=property",
                {
                    try HTTP.Request(.post, "/o", query: Encoder().encode(value)).url.query
                        ?? "none"
                }
            ),
            (
                "no query of nothing", "none",
                {
                    try HTTP.Request.get("/o", query: [String: Int](), by: Encoder()).url.query
                        ?? "none"
                }
            ),
        ]
    }
}

func form(
    _ value: some Encodable,
    _ encoder: HTTP.URLEncodedFormEncoder = HTTP.URLEncodedFormEncoder()
) throws -> String {
    let body = HTTP.Body.form(try encoder.encode(value))
    return String(decoding: body.inMemory ?? Data(), as: UTF8.self)
}

func cause(_ value: some Encodable, _ encoder: HTTP.URLEncodedFormEncoder) throws -> String {
    do {
        return try form(value, encoder)
    } catch let error as HTTP.ContentError {
        return error.cause.map { "\(type(of: $0))" } ?? "none"
    }
}

private struct OptionalValue: Encodable {
    var one = "one"
    var two: String?
}
