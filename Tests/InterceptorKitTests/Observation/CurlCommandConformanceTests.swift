import Expectations
import Foundation
import InterceptorKit
import InterceptorKitTesting
import TestRun
import TestSupport
import Testing

private let curl = FileManager.default.isExecutableFile(atPath: "/usr/bin/curl")

@Suite(
    "A curl command, run by a shell",
    .tags(.sockets, .process),
    .serializedAcrossSuites,
    .enabled(if: curl, "no curl")
)
struct CurlCommandConformanceTests {
    @Test("sends the request byte for byte, or says what is missing")
    func requests() async throws {
        let server = try LoopbackServer { _ in .status(200) }
        defer { server.stop() }
        let folder = try Folder()
        try folder.write(
            Data((0..<3000).map { UInt8(truncatingIfNeeded: $0 &* 7) }),
            to: "a file's"
        )
        var random = RandomRequests(server: server, folder: folder)
        let requests = (0..<cases(100, of: 2000)).map { random.next(number: $0) }
        let commands = requests.map { $0.curlCommand(redaction: RandomRequests.redaction) }

        try await run(commands, in: folder)

        let received = Dictionary(
            server.requests.map {
                ($0.path.split(separator: "/").first.map(String.init) ?? "", $0)
            },
            uniquingKeysWith: { first, _ in first }
        )
        var differing: [String] = []
        for (number, request) in requests.enumerated() {
            let problem = try await difference(
                of: received["\(number)"],
                from: request,
                isPartial: commands[number].contains(" # without its body")
            )
            if let problem { differing.append("\(problem): \(commands[number])") }
        }
        print(
            "conformance curl-command: \(requests.count) requests, \(differing.count) differ"
        )
        expectTrue(differing.isEmpty, "\(differing.prefix(3))")
    }

    private func run(_ commands: [String], in folder: Folder) async throws {
        let script = ["exec </dev/null >/dev/null 2>&1", "unset http_proxy all_proxy"] + commands
        try folder.write(Data(script.joined(separator: "\n").utf8), to: "script")
        let (path, place) = (folder["script"], folder.path)
        try await besideOtherTests {
            let process = Process()
            process.executableURL = URL(fileURLWithPath: "/bin/sh")
            process.arguments = [path]
            process.currentDirectoryURL = URL(fileURLWithPath: place)
            try process.run()
            process.waitUntilExit()
        }
    }

    private func difference(
        of received: LoopbackServer.Request?,
        from request: HTTP.Request,
        isPartial: Bool
    ) async throws -> String? {
        guard let received else { return "not sent" }
        if received.method != request.method { return "method \(received.method)" }
        if received.target != request.url.requestTarget { return "target \(received.target)" }
        let body = isPartial ? Data() : try await request.body.collect()
        if received.body != body { return "body of \(received.body.count)" }
        var own: Set = ["host", "accept", "user-agent"]
        for name in Set(request.withContentType.headers.map { $0.name.lowercased() }) {
            let sent = request.withContentType.headers.values(name)
            if received.headers.values(name) != sent { return "field \(name)" }
            own.insert(name)
        }
        let announcesNothing = [.post, .put, .patch].contains(request.method)
        if !body.isEmpty || !isPartial && announcesNothing {
            own.insert("content-length")
            if received.headers["Content-Length"] != "\(body.count)" { return "length" }
        }
        return received.headers.first { !own.contains($0.name.lowercased()) }.map { "own \($0)" }
    }
}

/// Requests with everything that shells, printf and curl treat in a way of their own.
private struct RandomRequests {
    static let names = ["Accept", "X-Note", "ETag", "User-Agent", "Host", "Cookie", "Content-Type"]
    static let redaction = Redaction(
        shownFields: Set(names.map { $0.lowercased() } + ["content-length"]),
        urlFields: [],
        hiddenNames: []
    )

    private static let pieces: [String] = [
        "a", "Z", "7", " ", "'", "''", "\"", "\\", "\\n", "\\c", "\\055", "%", "%s", "%%", "%25",
        "$",
        "$(touch broken)", "`", "!", "#", " # ", ";", "&", "|", "<", ">", "(", ")", "{a,b}",
        "[1-3]", "*",
        "?", "~", "-", "--", "=", "é", "\u{301}", "😀", "\u{85}", "\u{202E}", "\u{2028}", "\u{FEFF}",
        "\t",
    ]
    private static let breaks = ["\r\n", "\n", "\r", "\0", "\u{1B}[31m", "\u{7}", "\u{7F}"]
    private static let targetPieces = [
        "a", "-", "//", "/..", "/./", "%20", "%25", "'", "$x", "(", ")", "*", "!", ";", "&", "=",
        ",", "~",
    ]

    let server: LoopbackServer
    let folder: Folder
    private var generator = SeededGenerator(seed: 45)

    init(server: LoopbackServer, folder: Folder) {
        self.server = server
        self.folder = folder
    }

    mutating func next(number: Int) -> HTTP.Request {
        let methods: [HTTP.Method] = [
            .get, .get, .head, .post, .post, .put, .patch, .delete, .options,
            HTTP.Method(rawValue: "M-SEARCH"),
            HTTP.Method(rawValue: "get"),
        ]
        var target = "/\(number)/" + text(of: Self.targetPieces, upTo: 4)
        if pick(2) == 0 { target += "?" + text(of: Self.targetPieces + ["?", "/"], upTo: 4) }
        var headers = HTTP.Headers()
        for _ in 0..<pick(4) {
            let name = Self.names[pick(Self.names.count)]
            if ["Host", "User-Agent", "Content-Type"].contains(name), headers.contains(name) {
                continue
            }
            let value = HTTP.FieldSyntax.trimmed(text(of: Self.pieces, upTo: 5))
            headers.append(name: name, value: name == "Host" ? "other.example" : value)
        }
        let base = HTTP.URL(unvalidated: "http://127.0.0.1:\(server.port)\(target)")
        let request = HTTP.Request(
            methods[pick(methods.count)],
            base,
            headers: headers,
            body: body()
        )
        return pick(12) == 0 ? multipart(request) : request
    }

    private mutating func body() -> HTTP.Body {
        let path = folder["a file's"]
        switch pick(9) {
        case 0: return .text(text(of: Self.pieces, upTo: 8))
        case 1: return .text("@" + text(of: Self.pieces, upTo: 3))
        case 2: return .bytes(Data((text(of: Self.pieces + Self.breaks, upTo: 8)).utf8))
        case 3: return .text(text(of: Self.pieces + Self.breaks, upTo: 8) + "\n")
        case 4: return (try? .json([text(of: Self.pieces + Self.breaks, upTo: 4)])) ?? .empty
        case 5: return .form([text(of: Self.pieces, upTo: 3): text(of: Self.breaks, upTo: 3)])
        case 6: return .file(path)
        case 7:
            let start = pick(3000)
            return .file(path, range: start..<(start + pick(3001 - start)))
        default: return pick(3) == 0 ? .bytes([0xFF, 0xFE]) : .empty
        }
    }

    private mutating func multipart(_ request: HTTP.Request) -> HTTP.Request {
        var request = request
        request.headers["Content-Type"] = nil
        let part = HTTP.Multipart.Part("a", .text(text(of: Self.pieces, upTo: 5)), filename: "b's")
        return (try? request.multipart(HTTP.Multipart([part]))) ?? request
    }

    private mutating func text(of pieces: [String], upTo count: Int) -> String {
        (0..<pick(count + 1)).map { _ in pieces[pick(pieces.count)] }.joined()
    }

    private mutating func pick(_ count: Int) -> Int { Int.random(in: 0..<count, using: &generator) }
}
