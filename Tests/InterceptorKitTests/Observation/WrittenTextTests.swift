import Expectations
import Foundation
import InterceptorKit
import InterceptorKitInspection
import InterceptorKitTesting
import TestRun
import TestSupport
import Testing

private let python = ["/usr/bin/python3", "/usr/local/bin/python3"]
    .first { FileManager.default.isExecutableFile(atPath: $0) }

/// What a writer made of a text, for a reader that knows nothing of this library.
private struct Written: Encodable {
    let writer: String
    let text: String
    let output: Data
}

/// Each special character of a writer, alone and with what a Character takes with it.
private let texts: [String] = {
    let specials = [
        "'", "\"", "\\", "<", ">", "&", ";", ",", "=", ":", "/", "?", "#", "%", "$", "`", "(", ")",
        "{", "[", "@", "\r", "\n", "\r\n", "\t", "\0", " ", "\u{1B}", "\u{1D}", "\u{85}", "\u{9B}",
        "\u{2028}", "\u{2029}", "\u{202E}", "\u{2066}", "</script>", "-->", "--b",
    ]
    let marks = [
        "", "\u{301}", "\u{200D}", "\u{FE0F}", "\u{20E3}", "\u{903}", "\u{1F3FD}", "\u{1F1E9}",
    ]
    return specials.flatMap { special in
        marks.map { "a\(special)\($0); touch broken #\(special)\($0)b" }
    }
}()

/// Reads what was written, and names what it finds to have broken out.
private let reader = #"""
    import base64, html.parser, json, re, subprocess, sys, tempfile, unicodedata, urllib.parse
    class Page(html.parser.HTMLParser):
        def __init__(self):
            super().__init__(); self.scripts = []; self.title = None; self.inside = None
        def handle_starttag(self, tag, attributes): self.inside = tag
        def handle_data(self, data):
            if self.inside == "script": self.scripts.append(data)
            if self.inside == "title" and self.title is None: self.title = data
        def handle_endtag(self, tag): self.inside = None
    def same(found, text): return found == text or "██" in found  # a hidden part
    def shell(text, output):
        script = b"curl() { for word in \"$@\"; do printf '%s\\0' \"$word\"; done; cat; }\n" + output
        with tempfile.TemporaryDirectory() as folder:
            words = subprocess.run(["sh", "-c", script], stdin=subprocess.DEVNULL, capture_output=True, cwd=folder).stdout.decode().split("\0")
        end = words.index("@-" if "@-" in words else "--data-raw")
        body = "\0".join(words[end + 1:]) if "@-" in words else words[end + 1]
        return len(words[:end]) in (8, 9, 10, 11) and words[2:5] == ["--request", "POST", "--url"] and same(body, text) \
            and "\n" not in "".join(words[:end]) and not any(control(c) and c not in "\n\t" for c in output.decode())
    def control(c): return unicodedata.category(c) in ("Cc", "Zl", "Zp") or unicodedata.category(c) == "Cf" and c not in "\u200c\u200d"
    def log(text, output):
        lines = output.decode().splitlines()
        return all(line.startswith("[") for line in lines) and not any(control(c) and c != "\t" for line in lines for c in line)
    def printable(text, output): return len(output.decode().splitlines()) == 1 and len(output) < 900 and not any(map(control, output.decode()))
    def quoted(text, output):
        match = re.fullmatch(r'"((?:[^"\\]|\\.)*)"', output.decode(), re.S)
        return match is not None and re.sub(r"\\(.)", r"\1", match[1], flags=re.S) == text
    def multipart(text, output):
        parts = output.split(b"--boundary")
        head = parts[1].split(b"\r\n\r\n")[0].strip().splitlines()
        return len(parts) == 3 and len(head) == 1 and re.fullmatch(rb'Content-Disposition: form-data; name="[^"\r\n]*"; filename="[^"\r\n]*"', head[0]) is not None
    def timeline(text, output):
        page = Page(); page.feed(output.decode())
        return page.title == text and text in json.loads(page.scripts[0])["strings"]
    def archive(text, output): return same(json.loads(output)["log"]["entries"][0]["request"]["postData"]["text"], text)
    def form(text, output): return urllib.parse.parse_qsl(output.decode(), True, True) == [(text, text)]
    readers = dict(shell=shell, log=log, printable=printable, quoted=quoted, multipart=multipart, timeline=timeline, archive=archive, form=form)
    for written in json.load(sys.stdin):
        try: ok = readers[written["writer"]](written["text"], base64.b64decode(written["output"]))
        except Exception as error: ok = False
        if not ok: print(written["writer"], ascii(written["text"]))
    """#

@Suite(
    "Text from outside, as others read what is written of it",
    .tags(.process),
    .serializedAcrossSuites,
    .enabled(if: python != nil, "no python3")
)
struct WrittenTextTests {
    @Test("breaks out of no writer")
    func writers() async throws {
        var written: [Written] = []
        for text in texts {
            for (writer, output) in try await Self.outputs(of: text) {
                written.append(Written(writer: writer, text: text, output: output))
            }
        }
        let broken = try await Self.read(written)

        expectEqual(broken, [])
        print(
            "writers: \(texts.count) texts through \(Set(written.map(\.writer)).count) writers, "
                + "\(broken.count) broke out"
        )
    }

    private static func outputs(of text: String) async throws -> [(String, Data)] {
        let request = HTTP.Request.post(
            "https://a.example/",
            headers: HTTP.Headers([("X-Note", text)]),
            body: .text(text)
        )
        var redaction = Redaction.standard
        redaction.shownFields.insert("x-note")
        let marks = String(repeating: "\u{301}", count: 90_000)
        let part = HTTP.Multipart.Part(text, .text("x"), filename: text)
        let multipart = try? HTTP.Request.post("https://a.example/")
            .multipart(HTTP.Multipart([part], boundary: "boundary")).body
        let entry = HAR.Builder(redaction: redaction).entry(
            request,
            body: .bytes(Data(text.utf8)),
            outcome: .response(HTTP.Response(200), .bytes(Data())),
            startedAt: .distantPast,
            timings: HAR.Timings(wait: .zero, receive: .zero)
        )
        let timeline = Timeline()
        try await Call(events: timeline).activity(.call, text, from: text) { call in
            call.emit("thing.happened", from: text, ["a": .text(text)])
        }
        let records = Recorder<String>()
        let logging = LoggingInterceptor(.bodies, redaction: redaction) { records.note($0) }
        _ = try await Pipeline([logging], transport: CannedTransport(200)).run(request)
        await logging.flush()
        return [
            ("shell", Data(request.curlCommand(redaction: redaction).utf8)),
            ("quoted", Data(HTTP.FieldSyntax.quoted(text).utf8)),
            ("form", try await HTTP.Body.form([text: text]).collect()),
            ("archive", try HAR(entries: [entry]).json()),
            ("timeline", Data(timeline.html(title: text).utf8)),
            ("printable", Data(HTTP.printable(text).utf8)),
            ("printable", Data(HTTP.printable("a" + marks + text).utf8)),
        ]
            + ((try? await multipart?.collect()).map { [("multipart", $0)] } ?? [])
            + records.entries.map { ("log", Data($0.utf8)) }
    }

    private static func read(_ written: [Written]) async throws -> [Substring] {
        let folder = try Folder()
        try folder.write(JSONEncoder().encode(written), to: "written")
        try folder.write(Data(), to: "found")
        let (input, output) = (folder["written"], folder["found"])
        try await besideOtherTests {
            let process = Process()
            process.executableURL = URL(fileURLWithPath: python ?? "")
            process.arguments = ["-c", reader]
            process.standardInput = FileHandle(forReadingAtPath: input)
            process.standardOutput = FileHandle(forWritingAtPath: output)
            try process.run()
            process.waitUntilExit()
            guard process.terminationStatus == 0 else { throw Problem(text: "the reader ended") }
        }
        return String(decoding: folder.content("found") ?? Data(), as: UTF8.self)
            .split(separator: "\n")
    }
}
