import ConformanceReference
import Expectations
import InterceptorKit
import InterceptorKitConformance
import TestRun
import Testing

@Suite(
    "Requirements of streams",
    .tags(.sockets),
    .serializedAcrossSuites,
    .timeLimit(.minutes(10))
)
struct StreamRequirementTests {
    @Test(
        "a transport with a flaw fails the requirements that the flaw breaks",
        arguments: mutants
    )
    func broken(mutant: Mutant, requirements: [String]) async {
        var failures: [String] = []
        // A cancellation that comes between two reads is heeded in spite of the flaw, so it may take a few.
        for _ in 0..<5 where failures != requirements {
            failures = await TransportConformance.run(
                TransportConformance.streamRequirements.filter { requirements.contains($0.name) },
                as: "sse-resume broken",
                timeLimit: .seconds(2)
            ) { mutant.transport() }.failures
        }

        expectEqual(failures, requirements)
    }

    @Test("every requirement of the transport has a flaw that fails it")
    func complete() {
        let covered = Set(mutants.flatMap(\.1))

        let rest = TransportConformance.streamRequirements.map(\.name).filter {
            !covered.contains($0)
        }

        // Both are the client's, whatever the transport does.
        let ofClient = [
            "ends a cancelled wait between connections",
            "gives up a head that does not come in time",
        ]
        expectEqual(rest.sorted(), ofClient)
    }
}

private let mutants: [(Mutant, [String])] = [
    (
        .flawed(.collectsResponseBodies),
        [
            "delivers each event before the server makes the next",
            "delivers comments as they come",
            "delivers the events of four streams at once",
            "delivers each line before the server makes the next",
        ]
    ),
    (
        .holdsBack(1),
        ["delivers an event whose last line ends with CR before another byte comes"]
    ),
    (
        .losesChunks(upTo: 7),
        [
            "delivers events whose bytes come one by one",
            "delivers lines whose bytes come one by one", "delivers JSON lines across chunks",
            "delivers a JSON text sequence across chunks",
        ]
    ),
    (.decodesEachChunk, ["delivers a character whose bytes come apart"]),
    (.stopsBodies(after: 65_536), ["delivers an event of a million bytes"]),
    (.callsGzipDecoded, ["delivers the events of a stream in gzip, or calls it so"]),
    (
        .losesField("Last-Event-ID"),
        [
            "loses nothing by a connection that closes within an event",
            "loses nothing by a connection that is reset within an event",
            "loses nothing by a chunk that is cut off",
            "loses nothing by chunks that end without the last one",
            "loses nothing by a body that ends with its connection",
            "loses nothing by a body that ends with its last chunk",
            "loses nothing by a body that ends at its length",
            "drops what a server sends again that resumes too early",
            "begins after an id that was stored",
        ]
    ),
    (
        .ends(with: "\n\n"),
        [
            "loses nothing, whichever byte the server dies at",
            "throws a model's output that broke off, and sends nothing again",
        ]
    ),
    (.flawed(.callsEverythingOther), ["connects again when the server is back"]),
    (.takes204For200, ["ends at a 204"]),
    (.setsContentType, ["ends at another media type with the response's text"]),
    (
        .emptiesBodies,
        ["ends at a 404 with the response's text", "ends at a 501 with the response's text"]
    ),
    (
        .losesResponseField("Retry-After"),
        ["waits as Retry-After of a 503 says", "waits as Retry-After of a 429 says"]
    ),
    (.losesRetry, ["waits as the stream's retry says"]),
    (.sendsTwice, ["makes one connection an interval to a server that accepts and closes"]),
    (.holdsBack(127), ["takes comments for signs of life"]),
    (.losesField("Accept"), ["sends the fields of a request for events"]),
    (
        .losesLastByteSent,
        [
            "sends a body again with each connection",
            "sends a model's request again that broke before the first event",
        ]
    ),
    (.losesQuery, ["sends the id as a closure writes it"]),
    (.flawed(.ignoresCancellation), ["ends a cancelled wait for the head, and its connection"]),
    (
        .flawed(.keepsConnectionsOpen),
        [
            "gives up a connection that is silent, and closes it",
            "ends a cancelled stream at once, and its connection",
            "ends a stream whose client cancels everything, and its connection",
            "leaves no connection open behind ten that broke",
        ]
    ),
    (
        .keepsBodies,
        [
            "ends at an event beyond the limit, and its connection",
            "closes the connection of a loop that is left",
            "closes the connection of lines that are left",
            "delivers a model's output, and closes at its end",
            "closes the connection of a model's output that is left",
        ]
    ),
    (.flawed(.takesAnyEndForTheBodysEnd), ["throws where lines break off, after those before"]),
    (
        .ends(with: "data: [DONE]\n\n"),
        ["throws a model's output that ends without its end event"]
    ),
]
