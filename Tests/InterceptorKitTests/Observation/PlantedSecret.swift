import InterceptorKit
import TestSupport

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A secret of its own, at one place and under one name.
struct PlantedSecret: Sendable, CustomStringConvertible {
    /// What stands where the name and the secret belong.
    static let name = "NAME"
    static let secret = "s3cr3t-Pl4nted-7f1c"

    let place: String
    let description: String
    var url = "https://api.example.com/orders"
    var headers: HTTP.Headers = [:]
    var body = Data()
    /// What the engine and the service say of a failure.
    var message = "The connection broke."

    var request: HTTP.Request {
        HTTP.Request(.post, HTTP.URL(unvalidated: url), headers: headers, body: .bytes(body))
    }

    func response(_ status: HTTP.Status) -> HTTP.Response {
        HTTP.Response(status, headers: headers, body: .bytes(body), request: request)
    }

    /// Every name at every place for named secrets, and every place for those without names.
    static let all: [PlantedSecret] =
        SecretPlaces.named.flatMap { place, text in
            SecretPlaces.names.map {
                plant(text.replacing(name, with: $0), at: place, "\(place): \($0)")
            }
        }
        + SecretPlaces.unnamed.map { plant($1, at: $0, "\($0): \($1)") }

    private static func plant(_ text: String, at place: String, _ row: String) -> PlantedSecret {
        let text = text.replacing("SECRET", with: secret)
        var planted = PlantedSecret(place: place, description: row)
        let (kind, type) = place.split(separator: " ", maxSplits: 1).map(String.init).pair
        switch kind {
        case "url": planted.url = text
        case "field":
            let parts = text.split(separator: ": ", maxSplits: 1).map(String.init)
            planted.headers[parts[0]] = parts[1]
        case "body":
            planted.headers["Content-Type"] = type
            planted.body = Data(text.utf8)
            if type.contains("latin") { planted.body.insert(0xE9, at: 2) }
        default: planted.message = text
        }
        if kind == "text" {
            let object = ["detail": text, "title": "No", "type": "https://h/p"]
            planted.headers["Content-Type"] = "application/problem+json"
            planted.body = (try? JSONEncoder().encode(object)) ?? Data()
        }
        return planted
    }
}

extension [String] {
    fileprivate var pair: (String, String) { (self[0], count > 1 ? self[1] : "") }
}

enum SecretPlaces {
    /// Names of secrets, spelled in many ways.
    static let names = [
        "accessToken", "refreshToken", "clientSecret", "client-secret", "pwd", "jwt", "otp",
        "passphrase", "private_key", "session", "sid", "authorization", "token[]", "SAMLResponse",
        "x_access_token", "userPassword", "api-key", "APIKEY", "id_token_hint", "code_verifier",
        "client_assertion", "user[password]", "user[auth][pin]", "password[0]", "p%61ssword",
        "access%5Ftoken", "access%255Ftoken", "user%5Bpassword%5D", "PASSWORD", "Secret-Key",
        "dbPass", "hmacKey", "X-Amz-Security-Token", "jsessionid", "csrfmiddlewaretoken", "cvv2",
        "recovery_code",
    ]

    /// Places for a named secret: the kind of place, and the text.
    static let named: [(String, String)] = [
        ("url", "https://h/x?NAME=SECRET"), ("url", "https://h/x?a=1&NAME=SECRET&b=2"),
        ("url", "https://h/x?a=1;NAME=SECRET;b=2"), ("url", "https://h/x?a=1&amp;NAME=SECRET"),
        ("url", "https://h/x#NAME=SECRET"), ("url", "https://h/#/x?b=1&NAME=SECRET"),
        ("url", "https://h/x;NAME=SECRET/y"), ("url", "/x?NAME=a#SECRET"),
        ("url", "https://h/x?next=https%3A%2F%2Fh%2Fcb%3FNAME%3DSECRET"),
        ("url", "https://h/x?data=%7B%22NAME%22%3A%22SECRET%22%7D"),
        ("field Location", "Location: https://h/cb?NAME=SECRET"),
        ("field User-Agent", "User-Agent: app/1 (NAME=SECRET)"),
        ("body application/x-www-form-urlencoded", "a=1&NAME=SECRET&b=2"),
        ("body application/x-www-form-urlencoded", "a=1\nNAME=SECRET;x,y"),
        ("body application/x-www-form-urlencoded", "next=a%3D1%26NAME%3DSECRET"),
        ("body application/x-www-form-urlencoded", #"{"NAME":"SECRET"}"#),
        ("body text/plain", "NAME=x SECRET&b=2"), ("body", "NAME=SECRET"),
        (
            "body multipart/form-data; boundary=b",
            "--b\r\nContent-Disposition: form-data; name=\"NAME\"\r\n\r\nSECRET\r\n--b--"
        ),
        (
            "body multipart/form-data; boundary=b",
            "--b\r\nContent-Disposition: form-data; Name=NAME\r\n\r\nSECRET\r\n--b--"
        ),
        (
            "body multipart/mixed; boundary=b",
            "--b\r\nContent-Type: application/json\r\n\r\n{\"NAME\":\"SECRET\"}\r\n--b--"
        ),
        ("body application/json", #"{"NAME":"SECRET","n":1}"#),
        ("body application/json", #"{"a":[{"NAME":{"x":["SECRET"]}}]}"#),
        ("body application/json", #"{"NAME":"a\"} SECRET"#),
        ("body application/json", #"{"NAME" : "a, SECRET"#),
        ("body application/json", #"{"echo":"a=1&NAME=SECRET"}"#),
        ("body application/json", #"{"echo":"a=1\u0026NAME=x \"SECRET"}"#),
        ("body application/json", #"{"echo":"{\"NAME\":\"SECRET\"}"}"#),
        ("body application/json", #"{"echo":"{\u0022NAME\u0022:\u0022SECRET\u0022}"}"#),
        ("body application/json", #"["{\"echo\":\"b=2&NAME=SECRET\"}"]"#),
        ("body application/json", #"{"url":"https:\/\/h\/?NAME=SECRET"}"#),
        ("body application/json", #"{"message":"NAME: SECRET","n":1}"#),
        ("body application/json", #"[{"name":"NAME","value":"SECRET"}]"#),
        ("body application/json; latin", #"{"x":1,"NAME":"SECRET"}"#),
        ("body application/json", "NAME=SECRET&b=1"),
        ("body text/event-stream", #"data: {"NAME":"SECRET"}"#),
        ("body text/event-stream", #"data: "{\"NAME\":\"SECRET\"}""#),
        ("body application/json", #""{\"NAME\":\"SECRET\"}""#),
        (
            "body application/json",
            #""[\"{\\u0022NAME\\u0022:\\u0022a\\\\\\u0022SECRET\\u0022}\"]""#
        ),
        ("text", "Refused: NAME=SECRET"), ("text", "Refused NAME: a SECRET"),
        ("text", #"Got {"NAME":"SECRET"} back"#), ("text", #"Got {\"NAME\":\"SECRET\"} back"#),
        ("text", "['NAME': 'SECRET']"), ("text", #"{"NAME"=>"a SECRET"}"#),
        ("text", "See https://h/x?a=1&NAME=SECRET."), ("text", "a=1&NAME=x SECRET"),
        ("text", "It says:\nNAME=SECRET\nb=2"),
    ]

    /// Places for secrets that need no name.
    static let unnamed: [(String, String)] = [
        ("url", "https://user:SECRET@h/x"), ("url", "https://SECRET@h/x"),
        ("url", "https://user:a#SECRET@h/x"), ("url", "https://user:SECRET#b@h/x"),
        ("url", "https://user:a?SECRET@h/x"), ("url", "https://user:SECRET/b@h/x?c=d"),
        ("url", "https://user:a/SECRET@h"), ("url", "https://user:12/SECRET@h/x"),
        ("url", "https://user:p@SECRET@h/x@y"), ("url", "https://user:SECRET@h/x@y"),
        ("url", "//user:SECRET@h/x"), ("url", "//user:a/SECRET@h/x"), ("url", "user:SECRET@h"),
        ("url", "https:/user:SECRET@h/x"), ("url", "https:\\\\user:SECRET@h/x"),
        ("url", "jdbc:postgresql://user:SECRET@h/x"),
        ("url", "https://h/x?next=https%3A%2F%2Fuser%3ASECRET%40h"),
        ("url", "https://h/https://user:SECRET@h/x"), ("url", "https://h/eyJhbGci.SECRET.x/y"),
        ("url", "https://h/x?a=eyJhbGciOiJub25lIn0.SECRET.x"),
        ("url", "https://h/x?h=Bearer%20SECRET"),
        ("field Authorization", "Authorization: Bearer SECRET"),
        ("field Proxy-Authorization", "Proxy-Authorization: Basic SECRET"),
        ("field Cookie", "Cookie: a=1; theme=SECRET"), ("field Set-Cookie", "Set-Cookie: a=SECRET"),
        ("field X-Own", "X-Own: SECRET"), ("field Location", "Location: //u:SECRET@h/"),
        ("field Referer", "Referer: https://u:x/SECRET@h/"),
        ("field Server", "Server: x (Bearer SECRET)"),
        ("body application/json", #"{"u":"https://user:SECRET@h/x"}"#),
        ("body application/json", #"{"u":"//user:a#SECRET@h/x"}"#),
        ("body application/json", #"{"h":"Authorization: Basic SECRET"}"#),
        ("body application/json", #"{"h":"Bearer SECRET"}"#),
        ("body application/json", #"{"t":"eyJhbGciOiJub25lIn0.SECRET.x"}"#),
        ("body application/json", #"{"code":"SECRET"}"#),
        ("body application/xml", "<r><wsse:Password Type=\"t\">SECRET</wsse:Password></r>"),
        ("body application/xml", "<SessionToken><![CDATA[SECRET]]></SessionToken>"),
        ("body text/plain", "private_key: -----BEGIN PRIVATE KEY-----\nSECRET\n-----END"),
        ("text", "Bearer SECRET was refused"), ("text", "Basic SECRET"),
        ("text", "Bearer \"SECRET\""),
        ("text", "Digest username=\"u\", response=\"SECRET\""),
        ("text", "AWS4-HMAC-SHA256 Credential=a/b, Signature=SECRET"),
        ("text", "Cookie: a=1; b=SECRET"), ("text", "GET https://u:SECRET@h/x failed"),
        ("text", "GET //u:SECRET@h/x failed"), ("text", "GET https://u:a SECRET@h/x failed"),
        ("text", "cannot reach u:SECRET@h"), ("text", "The token 'SECRET' has expired."),
        ("text", "-----BEGIN RSA PRIVATE KEY-----\nSECRET\n-----END RSA PRIVATE KEY-----"),
    ]
}
