// Lines, records and events as they arrive, and streams that connect again.
import InterceptorKit
import InterceptorKitStreaming

private struct Order: Decodable, Sendable {}

private struct Chunk: Decodable, Sendable {
    struct Choice: Decodable, Sendable {
        struct Delta: Decodable, Sendable { let content: String? }

        let delta: Delta
    }

    let choices: [Choice]
}

func readLines(_ api: HTTP.Client) async throws {
    // snippet.lines
    for try await line in try await api.send(.get("/log")).body.lines {
        print(line)
    }
    // snippet.end
}

func readRecords(_ api: HTTP.Client) async throws {
    let response = try await api.send(.get("/orders"))
    // snippet.records
    for try await order in response.body.jsonLines(of: Order.self) {
        print(order)
    }
    // snippet.end
}

func readEvents(_ api: HTTP.Client) async throws {
    // snippet.response
    let response = try await api.send(.get("/prices"))
    for try await event in response.events() {
        print(event.type, event.data)
    }
    // snippet.end
}

func follow(_ api: HTTP.Client) async throws {
    // snippet.source
    for try await event in api.events(.get("/prices")) {
        print(event.type, event.data)
    }
    // snippet.end
}

func followFrom(_ id: String?, _ api: HTTP.Client, _ save: (String?) async throws -> Void)
    async throws
{
    // snippet.stored
    var options = HTTP.EventSourceOptions()
    options.lastEventID = id
    for try await event in api.events(.get("/prices"), options: options) {
        print(event.data)
        try await save(event.id)
    }
    // snippet.end
}

func cursor() -> HTTP.EventSourceOptions {
    // snippet.cursor
    var options = HTTP.EventSourceOptions()
    options.resume = { request, id in
        request.url = request.url.appending(query: ["after": id])
    }
    // snippet.end
    return options
}

func watch(
    _ api: HTTP.Client,
    show: (HTTP.ServerSentEvent) -> Void,
    offline: (Duration) -> Void
) async throws {
    func showOffline(for delay: Duration) { offline(delay) }
    // snippet.updates
    for try await update in api.events(.get("/prices")).updates {
        switch update {
        case .event(let event): show(event)
        case .willReconnect(let delay, _): showOffline(for: delay)
        default: break
        }
    }
    // snippet.end
}

func ask(_ api: HTTP.Client, _ question: some Encodable & Sendable, isEnough: (String) -> Bool)
    async throws
{
    // snippet.model
    var answer = ""
    do {
        let request = HTTP.Request.post("/v1/chat/completions", body: try .json(question))
        for try await chunk in api.modelStream(request, as: Chunk.self) {
            answer += chunk.choices.first?.delta.content ?? ""
            if isEnough(answer) { break }  // Closes the connection, which stops the model.
        }
    } catch let error as HTTP.ModelStreamError<Chunk> {
        print("It broke off after \(error.received.count) parts: \(error)")
    }
    // snippet.end
    print(answer)
}

func collect(_ api: HTTP.Client, _ request: HTTP.Request) async throws -> String {
    var answer = ""
    // snippet.parts
    for try await chunk in api.modelStream(request, as: Chunk.self) {
        answer += chunk.choices.first?.delta.content ?? ""
    }
    // snippet.end
    return answer
}

private func decoderWithLast() -> HTTP.EventDecoder<Chunk> {
    // snippet.last
    let decoder = HTTP.EventDecoder<Chunk>.json(isLast: { $0.type == "response.completed" })
    // snippet.end
    return decoder
}

private func decoder() -> HTTP.EventDecoder<Chunk> {
    // snippet.decoder
    let decoder = HTTP.EventDecoder<Chunk>.json { $0.type == "message_stop" }
    // snippet.end
    return decoder
}
