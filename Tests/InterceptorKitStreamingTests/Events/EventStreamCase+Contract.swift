import Foundation

/// The cases of LaunchDarkly's contract tests for event stream clients that are about the bytes of a stream, written
/// again.
extension EventStreamCase {
    private static let mark = "\u{FEFF}"

    static let parsing: [EventStreamCase] = [
        Self("one line in one piece", "data: Hello\n\n", events: [Event(data: "Hello")]),
        Self(
            "two events in three pieces, of which one has a part of both",
            "data: one",
            "half\n\ndata:",
            "two\n\n",
            events: [Event(data: "onehalf"), Event(data: "two")]
        ),
        Self(
            "seven mebibytes in one piece",
            "data: \(String(repeating: "0123456", count: 1 << 20))\n\n",
            events: [Event(data: String(repeating: "0123456", count: 1 << 20))]
        ),
        Self(
            "seven mebibytes in two pieces",
            "data: \(String(repeating: "0123456", count: 1 << 19))",
            "\(String(repeating: "0123456", count: 1 << 19))\n\n",
            events: [Event(data: String(repeating: "0123456", count: 1 << 20))]
        ),
        Self("one line in two pieces", "data: Hel", "lo\n\n", events: [Event(data: "Hello")]),
        Self(
            "two events in one piece",
            "data: Hello\n\ndata: World\n\n",
            events: [Event(data: "Hello"), Event(data: "World")]
        ),
        Self(
            "two lines",
            "data: Hello\ndata:World\n\n",
            events: [Event(data: "Hello\nWorld")]
        ),
        Self("empty data", "data:\n\n", events: [Event(data: "")]),
        Self(
            "a type",
            "event: greeting\ndata: Hello\n\n",
            events: [Event(type: "greeting", data: "Hello")]
        ),
        Self("no type", "data: Hello\n\n", events: [Event(type: "message", data: "Hello")]),
        Self("an id", "id: abc\ndata: Hello\n\n", events: [Event(data: "Hello", id: "abc")]),
        Self(
            "a type and an id",
            "event: greeting\nid: abc\ndata: Hello\n\n",
            events: [Event(type: "greeting", data: "Hello", id: "abc")]
        ),
        Self("an id with NUL", "id: a\u{0}bc\ndata: Hello\n\n", events: [Event(data: "Hello")]),
        Self(
            "an id that stays",
            "id: abc\ndata: 1\n\n",
            "data: 2\n\n",
            events: [Event(data: "1", id: "abc"), Event(data: "2", id: "abc")]
        ),
        Self(
            "an id that an empty one takes back",
            "id: abc\ndata: 1\n\n",
            "id: \ndata: 2\n\n",
            events: [Event(data: "1", id: "abc"), Event(data: "2")]
        ),
        Self(
            "fields in reverse order",
            "data: Hello\nid: abc\nevent: greeting\n\n",
            events: [Event(type: "greeting", data: "Hello", id: "abc")]
        ),
        Self(
            "an unknown field",
            "event: greeting\ncolor: blue\ndata: Hello\n\n",
            events: [Event(type: "greeting", data: "Hello")]
        ),
        Self(
            "no blank after the colon",
            "event:greeting\ndata:Hello\n\n",
            events: [Event(type: "greeting", data: "Hello")]
        ),
        Self(
            "two blanks after the colon",
            "event:  greeting\ndata:  Hello\n\n",
            events: [Event(type: " greeting", data: " Hello")]
        ),
        Self(
            "no colon",
            "data\n\ndata\ndata\n\n",
            events: [Event(data: ""), Event(data: "\n")]
        ),
        Self("characters of several bytes", "data: €豆腐\n\n", events: [Event(data: "€豆腐")]),
        Self(
            "a hundred events in a row",
            (0..<100).map { "data: message \($0)\n\n" }.joined(),
            events: (0..<100).map { Event(data: "message \($0)") }
        ),
    ]

    static let marks: [EventStreamCase] = [
        Self("a mark at the start", "\(mark)data: Hello\n\n", events: [Event(data: "Hello")]),
        Self(
            "a mark before a type and an id",
            "\(mark)event: greeting\nid: abc\ndata: Hello\n\n",
            events: [Event(type: "greeting", data: "Hello", id: "abc")]
        ),
        Self(
            "a mark before two events",
            "\(mark)data: First\n\ndata: Second\n\n",
            events: [Event(data: "First"), Event(data: "Second")]
        ),
        Self(
            "a mark in later data",
            "data: First\n\n",
            "data: \(mark)Second\n\n",
            events: [Event(data: "First"), Event(data: "\(mark)Second")]
        ),
        Self(
            "a mark at the start, and one in the data",
            "\(mark)data: \(mark)Hello\n\n",
            events: [Event(data: "\(mark)Hello")]
        ),
        Self(
            "a mark before two lines",
            "\(mark)data: 1\ndata: 2\n\n",
            events: [Event(data: "1\n2")]
        ),
        Self(
            "a mark before a comment",
            "\(mark):comment\ndata: Hello\n\n",
            events: [Event(data: "Hello")],
            comments: ["comment"]
        ),
        Self("a mark before empty data", "\(mark)data:\n\n", events: [Event(data: "")]),
    ]

    static let comments: [EventStreamCase] = [
        Self("a comment", ":Hello\n", events: [], comments: ["Hello"]),
        Self("two comments", ":Hello\n", ":World\n", events: [], comments: ["Hello", "World"]),
        Self(
            "a comment before an event",
            ":Hello\n",
            "data: Hello\n\n",
            events: [Event(data: "Hello")],
            comments: ["Hello"]
        ),
        Self(
            "a comment after an event",
            "data: Hello\n\n",
            ":Hello\n",
            events: [Event(data: "Hello")],
            comments: ["Hello"]
        ),
    ]

    /// Every kind of line ending, alone and mixed.
    static let endings: [EventStreamCase] =
        ["\n", "\r\n", "\r"].flatMap { end in
            let name = end.debugDescription
            return [
                Self("one line, \(name)", "data: 1\(end)\(end)", events: [Event(data: "1")]),
                Self(
                    "one line and two, \(name)",
                    "data: 1\(end)\(end)data: 2\(end)data: 3\(end)\(end)",
                    events: [Event(data: "1"), Event(data: "2\n3")]
                ),
                Self(
                    "an empty line of data first, \(name)",
                    "data:\(end)data: 2\(end)data: 3\(end)\(end)",
                    events: [Event(data: "\n2\n3")]
                ),
                Self(
                    "an empty line of data between, \(name)",
                    "data: 1\(end)data:\(end)data: 3\(end)\(end)",
                    events: [Event(data: "1\n\n3")]
                ),
                Self(
                    "an empty line more, \(name)",
                    "data: 1\(end)\(end)\(end)data: 2\(end)\(end)",
                    events: [Event(data: "1"), Event(data: "2")]
                ),
                Self(
                    "two empty lines more, \(name)",
                    "data: 1\(end)\(end)\(end)\(end)data: 2\(end)\(end)",
                    events: [Event(data: "1"), Event(data: "2")]
                ),
            ]
        } + [
            Self(
                "a carriage return at the end of a piece",
                "data: Hello\r",
                "\ndata: World\r",
                "\n\r\ndata: OK\r",
                "\n",
                "\r",
                "\n",
                events: [Event(data: "Hello\nWorld"), Event(data: "OK")]
            )
        ]

    static let contract = parsing + marks + comments + endings
}
