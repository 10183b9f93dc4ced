// What the guide WriteAClientLibrary and the doc comments of deferred errors show.
import InterceptorKit
import InterceptorKitTransport

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

struct ServiceSettings: Sendable {
    var endpoint: String
}

struct DeferredService: Sendable {
    private let http: HTTP.Client

    init(transport: URLSessionTransport, settings: ServiceSettings) {
        // snippet.deferred
        http = HTTP.Client(deferringErrors: {
            try HTTP.Client(transport: transport) {
                BaseURLInterceptor(try HTTP.URL(string: settings.endpoint))
                ErrorFilterInterceptor()
            }
        })
        // snippet.end
    }
}

struct Song: Codable, Sendable {
    var title: String
}

// snippet.client
public struct Songs: Sendable {
    private let http: HTTP.Client

    public init(endpoint: String = "https://api.songs.example", key: String) {
        self.init(endpoint: endpoint, key: key, transport: URLSessionTransport())
    }

    init(endpoint: String, key: String, transport: some Transport<HTTP.Request>) {
        http = HTTP.Client(deferringErrors: {
            let base = try HTTP.URL(string: endpoint)
            return try HTTP.Client(transport: transport) {
                BaseURLInterceptor(base)
                ErrorFilterInterceptor(map: SongsError.init)
                RedirectInterceptor()
                RetryInterceptor(policy: .songs)
                TokenInterceptor(
                    source: FixedCredentialSource(.bearer(key)),
                    origins: [HTTP.Origin(base.originText ?? "")]
                )
            }
        })
    }

    func song(_ id: String) async throws -> Song {
        try await http.send(.get("/songs/\(id)")).decode(Song.self)
    }
}
// snippet.end

// snippet.errors
public enum SongsError: Error {
    case notFound
    case refused(message: String?, status: Int)
    case other(any Error)

    init(_ failure: any Error) {
        self =
            switch failure {
            case FailurePattern.status(404): .notFound
            case let error as ResponseError:
                .refused(message: error.serviceMessage, status: error.status.code)
            default: .other(failure)
            }
    }
}
// snippet.end

// snippet.retries
extension RetryPolicy where Input == HTTP.Request {
    /// Two retries after 0.5 s and 1 s, of these statuses alone, for reads and for writes with a key.
    static var songs: Self {
        var policy = RetryPolicy.standard
        policy.maxAttempts = 3
        policy.backoff = Backoff(base: .milliseconds(500), cap: .seconds(8), jitter: .none)
        policy.overloadBackoff = policy.backoff
        policy.budget = nil
        policy.respectsRetryAfter = true
        policy.maxRetryAfter = .seconds(30)
        policy.isRepeatable = { request, _, _ in
            request.method == .get || request.headers["Idempotency-Key"] != nil
        }
        policy.classifier = .standard.preceded { outcome in
            guard case .success(let response) = outcome.result, !response.status.isSuccess,
                ![429, 500, 502, 503].contains(response.status.code)
            else { return nil }
            return .permanent(response.status.description)
        }
        return policy
    }
}
// snippet.end

// snippet.session
struct Session: CredentialSource {
    let login: HTTP.Client

    func load() async throws -> Credential? { nil }

    func refresh(_ rejected: Credential?) async throws -> Credential? {
        guard let token = rejected?.refreshToken else { return nil }
        let request = HTTP.Request.post("/token").form(["refresh_token": token])
        let answer = try await login.send(request).text()
        return .bearer(answer, refreshToken: token)
    }
}

func signedIn(_ transport: URLSessionTransport, _ base: HTTP.URL) throws -> HTTP.Client {
    // Of both clients; the token's own requests do not pass the token.
    let shared: [any Interceptor<HTTP.Request>] = [
        BaseURLInterceptor(base), ErrorFilterInterceptor(), RetryInterceptor(policy: .standard),
    ]
    let session = Session(login: try HTTP.Client(shared, transport: transport))
    let token = TokenInterceptor(source: session, origins: ["https://api.songs.example"])
    return try HTTP.Client(shared + [token], transport: transport)
}
// snippet.end

func parts(_ data: Data) -> HTTP.Multipart {
    // snippet.part
    let form = HTTP.Multipart([
        .field("model", "whisper-1"),
        .init("file", .bytes(data), filename: "speech.mp3", mediaType: "audio/mpeg"),
    ])
    // snippet.end
    return form
}
