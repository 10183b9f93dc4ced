import InterceptorKit

/// Everyone who takes part.
enum Contenders {
    static let all = handWritten + pipelines + [hummingbird, grpc, fold]

    /// What hops that change a request set.
    static let method: HTTP.Method = "EDIT"

    static let request = HTTP.Request(
        .get,
        "https://api.example.com/v1/articles/42?fields=title",
        headers: ["Accept": "application/json", "User-Agent": "hop/1"]
    )
}
