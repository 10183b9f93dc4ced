// Exchanges recorded once and replayed without a network.
import InterceptorKit
import InterceptorKitTesting
import InterceptorKitTransport

func record(_ path: String) async throws {
    // snippet.record
    let transport = try RecordingTransport(.record, cassette: path, over: URLSessionTransport())
    let client = try HTTP.Client(transport: transport) {
        BaseURLInterceptor("https://api.example.com/v1")
    }
    _ = try await client.send(.get("/orders/7"))  // sent, answered, and written to the file
    // snippet.end
}

func replay(_ path: String) async throws {
    // snippet.replay
    let transport = try RecordingTransport(replaying: path)
    let client = try HTTP.Client(transport: transport) {
        BaseURLInterceptor("https://api.example.com/v1")
    }
    _ = try await client.send(.get("/orders/7"))  // answered from the file
    try transport.verify()  // throws if something recorded was not asked for
    // snippet.end
}

func update(_ path: String) async throws {
    // snippet.update
    var redaction = Redaction.standard
    redaction.shownFields.insert("x-request-id")
    redaction.hiddenNames.insert("email")
    let transport = try RecordingTransport(
        .update,
        cassette: path,
        over: URLSessionTransport(),
        matching: .methodURLAndBody,
        redaction: redaction
    )
    // snippet.end
    _ = transport
}
