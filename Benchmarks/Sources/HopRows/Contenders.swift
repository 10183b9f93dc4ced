import InterceptorKit

/// Everyone who takes part.
public enum Contenders {
    /// All of them.
    public static let all = handWritten + pipelines + [hummingbird, grpc, fold]

    /// Those that a request is passed on by, and what the library's hop is judged by.
    public static let judged = all.filter { contender in
        switch contender.role {
        case .peer: true
        case .handWritten: contender.work == .passRequest
        case .interceptorKit: contender.work == .passRequest && contender.name == "InterceptorKit"
        }
    }

    /// What hops that change a request set.
    static let method: HTTP.Method = "EDIT"

    static let request = HTTP.Request(
        .get,
        "https://api.example.com/v1/articles/42?fields=title",
        headers: ["Accept": "application/json", "User-Agent": "hop/1"]
    )
}
