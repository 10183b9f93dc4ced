// What the guide RedirectsAndCookies shows.
import Foundation
import InterceptorKit

func client(
    _ transport: some Transport<HTTP.Request>,
    _ tokens: some CredentialSource,
    secret: String
) throws -> HTTP.Client {
    // snippet.chain
    let api = try HTTP.Client(transport: transport) {
        RedirectInterceptor()
        RetryInterceptor(policy: .standard)
        TokenInterceptor(source: tokens, origins: ["https://api.example.com"])
        CookieInterceptor()
        SignInterceptor(.hmacSHA256(keyID: "app-1", secret: secret))
    }
    // snippet.end
    return api
}

func trustingPolicy() -> RedirectPolicy {
    // snippet.policy
    var policy = RedirectPolicy()
    policy.trustedOrigins = ["https://uploads.example.com"]
    policy.limit = 5
    policy.decide = { redirect in
        redirect.target.host?.hasSuffix(".example.com") == true ? .follow : .deliver
    }
    // snippet.end
    return policy
}

func oneByOne(_ api: HTTP.Client) async throws -> HTTP.Response {
    // snippet.follow
    var response = try await api.send(.get("/orders/7")) { $0.followsRedirects = false }
    while let next = try await api.follow(response, configure: { $0.followsRedirects = false }) {
        print(response.status, next.request?.url.path ?? "")
        response = next
    }
    // snippet.end
    return response
}

func listed(_ jar: CookieJar) -> CookieInterceptor {
    // snippet.suffixes
    let suffixes: Set<String> = ["com", "co.uk", "github.io"]  // from the public suffix list
    let cookies = CookieInterceptor(store: jar) { suffixes.contains($0) }
    // snippet.end
    return cookies
}

func roundTrip(_ jar: CookieJar) throws -> CookieJar {
    // snippet.snapshot
    let saved = try JSONEncoder().encode(jar.snapshot())
    let restored = CookieJar(try JSONDecoder().decode(CookieJar.Snapshot.self, from: saved))
    // snippet.end
    return restored
}

func ownCookie(_ id: String, _ jar: CookieJar) throws {
    // snippet.own
    let session = try HTTP.Cookie(name: "session", value: id, domain: "example.com", isSecure: true)
    jar.set(session)
    // snippet.end
}

func fromFile(_ text: String) throws -> CookieJar {
    // snippet.file
    let jar = CookieJar(try HTTP.Cookie.cookies(inNetscape: text))
    // snippet.end
    return jar
}
