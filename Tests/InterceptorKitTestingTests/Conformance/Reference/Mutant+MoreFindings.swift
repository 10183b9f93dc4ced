extension Mutant {
    static let laterFindings: [String: [String]] = [
        "loses the last byte": [
            "delivers every member of a gzip body, also after an empty one",
            "delivers a body of a stated length",
            "delivers a body in chunks",
            "delivers a body in chunks of one byte",
            "delivers a body that comes byte by byte",
        ],
        "delivers bodies as text": [
            "delivers every byte value unchanged"
        ],
        "delivers cut bodies": [
            "delivers a large body whole",
            "delivers a large body in chunks",
        ],
        "gives an empty body a byte": [
            "delivers an empty body",
            "delivers an empty body in chunks",
        ],
        "does not know the length": [
            "says how long a body of a stated length is"
        ],
        "takes no chunk extensions": [
            "passes over chunk extensions"
        ],
        "takes no sizes in capitals": [
            "takes chunk sizes in either case and with leading zeros"
        ],
        "takes no trailers": [
            "delivers a body that has trailers"
        ],
        "takes no body without a length": [
            "delivers a body that ends with the connection"
        ],
        "reads past a body": [
            "does not take what follows a body for a part of it"
        ],
        "expects a body always": [
            "expects no body of HEAD, and keeps its length field",
            "expects no body of HEAD in chunks",
            "expects no body of 204",
            "expects no body of 204 to DELETE",
            "expects no body of 304 that states a length",
        ],
        "takes a 102 for the response": [
            "passes over 100",
            "passes over 102",
            "passes over a response below 200 that it does not know",
            "passes over several answers below 200",
            "waits for the response that comes long after a 102",
        ],
        "keeps the fields of a 103": [
            "passes over 103 and its fields"
        ],
        "collects a body before it delivers it": [
            "delivers each chunk before the server makes the next",
            "delivers the head before the body is there",
            "delivers what has come of a body before the rest",
            "delivers a chunk before the next one comes",
        ],
        "lets bodies be read again": [
            "lets a body be read once"
        ],
        "drops what is read late": [
            "delivers every byte to a reader slower than the server",
            "delivers a body that is read late",
            "does not let one unread body hold up another call",
        ],
        "calls a coded body uncoded": [
            "delivers gzip decoded and not called gzip, or as it came and called so",
            "delivers a body in a coding it does not know as it came",
            "fails on a compressed body that was cut off, or delivers it as it came",
        ],
        "drops the coding of a response to HEAD": [
            "keeps the length of a compressed answer to HEAD"
        ],
        "states a length that is not the body's": [
            "states no length that is not the delivered body's"
        ],
        "takes any status line": [
            "fails on a response that is not HTTP",
            "fails on a status that isn't a number",
        ],
        "takes any field": [
            "fails on a field without colon",
            "fails on a field name with a blank",
        ],
        "takes any chunk size": [
            "fails on a chunk size that isn't a number",
            "fails on a negative chunk size",
            "fails on a chunk longer than its size",
            "fails on a chunk size larger than any number",
        ],
        "takes any length": [
            "fails on a length that isn't a number",
            "fails on a negative length",
            "fails on a length larger than any number",
            "fails on two lengths that differ",
        ],
        "takes any end for the body's": [
            "fails when the connection closes between head and body",
            "fails when the connection closes within a body of a stated length",
            "fails on the largest length that is a number, where the body ends",
            "fails when the connection closes within a chunk",
            "fails when the connection closes before the last chunk",
            "delivers what arrived of a body before its failure",
        ],
        "takes any end for the head's": [
            "fails when the connection closes within the head"
        ],
        "takes a reset for the end": [
            "delivers nothing whole of a body whose maker fails",
            "fails when the connection is reset within a body of a stated length",
            "fails when the connection is reset within a chunk",
        ],
        "calls everything unsent": [
            "fails when the connection is reset within the head",
            "fails on another protocol's answer",
            "fails on a status of one digit",
            "fails on the status 000",
            "fails before the deadline, or at it, on a head of 100,000 lines",
        ],
        "calls nothing unsent": [
            "says that nothing was sent where nobody listens",
            "says that nothing was sent where the name has no address",
        ],
        "gives every failure one name": [
            "says that the connection was lost when it closes before the head",
            "says that the connection was lost when it is reset before the head",
            "fails when the connection is reset within the request",
            "fails when a connection is reset as it is accepted",
        ],
        "names the target in errors": [
            "names host and port in an error, and neither path nor query"
        ],
        "stops after a failure": [
            "works on after a connection broke",
            "works on after many cancellations",
        ],
        "waits for streams": [
            "ends at the deadline though the body's stream heeds nothing",
            "ends a send though the body's stream heeds nothing",
        ],
        "ignores deadlines": [
            "ends at the deadline, not before and not much later",
            "sends nothing after the deadline",
            "ends the connection at the deadline",
            "ends at the deadline while the head comes in pieces",
            "ends at the deadline while the request's body is made",
            "ends at the deadline while a server reads nothing of the body",
        ],
        "cuts deadlines to whole seconds": [
            "does not round a deadline down to whole seconds"
        ],
        "takes a deadline for zero": [
            "delivers a response that comes before the deadline"
        ],
        "keeps the deadline over the body": [
            "leaves a body alone whose head came before the deadline"
        ],
        "gives every call a deadline": [
            "ends one call at its deadline and no other"
        ],
        "ignores cancellation": [
            "sends nothing for a task that is cancelled already",
            "ends a send that waits for the head, and its connection",
            "ends a send within the request's body",
            "ends a send while the request's body is made",
            "ends a send within the head",
        ],
        "ignores the cancellation of readers": [
            "ends the reading of a body, and its connection"
        ],
        "keeps connections of what is cancelled": [
            "ends a body that is cancelled from outside, and its connection",
            "releases the connection of a body that is read in part",
        ],
        "cancels every call with one": [
            "survives calls that are cancelled as a redirect comes",
            "survives calls that are cancelled as a refusal comes",
            "survives files that are answered before they are sent",
            "ends one call and no other",
        ],
        "calls every failure a refusal": [
            "never says that no connection could be made of what a server took before it went"
        ],
        "calls cancellation a failure": [
            "ends a send whose connection nobody has accepted"
        ],
        "never uses a connection again": [
            "uses a connection again after a body of a stated length",
            "uses a connection again after a body in chunks",
            "uses a connection again after a response without a body",
            "uses a connection again after an error status",
            "uses a connection again after HEAD",
            "uses a connection again after HEAD with an empty stream",
            "uses a connection again after HEAD with an empty file",
        ],
        "uses closed connections again": [
            "does not use a connection again that the server said it closes",
            "does not use a connection again after a body that ended with it",
        ],
        "uses abandoned connections again": [
            "releases the connection of a body that nobody reads",
            "does not take the rest of an abandoned body for the next answer",
        ],
        "uses stale connections again": [
            "survives that the server closes a connection between two requests",
            "does not take what came on an idle connection for a response",
            "sends a POST once where the used connection was closed while idle",
            "sends a POST once where the used connection was reset while idle",
        ],
        "has one request under way": [
            "has at least four requests to a host under way at once",
            "gives each call its own answer when the answers come out of order",
            "lets a quick call pass a slow one",
        ],
        "delivers the first body to everyone": [
            "survives calls that are cancelled while a file is sent",
            "keeps the answers on one connection apart",
            "gives each of many calls at once its own answer",
            "keeps several large downloads apart",
            "speaks with several hosts at once",
        ],
        "follows redirects": [
            "delivers 301 as it came and follows it nowhere",
            "delivers 302 as it came and follows it nowhere",
            "delivers 303 as it came and follows it nowhere",
            "delivers 307 as it came and follows it nowhere",
            "delivers 308 as it came and follows it nowhere",
            "delivers a redirect whose target is no URL",
            "delivers a redirect to an address without a scheme",
        ],
        "drops the body of a redirect": [
            "delivers a redirect's body"
        ],
        "fails on challenges": [
            "delivers 401 without a challenge"
        ],
        "answers challenges": [
            "delivers a Basic challenge and its body, and does not answer it",
            "delivers a Digest challenge and its body, and does not answer it",
            "delivers a Bearer challenge and its body, and does not answer it",
            "delivers a proxy challenge and its body, and does not answer it",
        ],
        "sends again after an error": [
            "does not send again what was answered with 503",
            "does not send again what was answered with 408 or 429",
            "does not send a POST again whose connection broke",
            "sends a POST once when the used connection closes before the response",
            "sends a POST once when the used connection is reset before the response",
            "sends a PATCH once when the used connection closes before the response",
            "sends a PATCH once when the used connection is reset before the response",
            "sends a PUT once when the used connection closes before the response",
            "sends a PUT once when the used connection is reset before the response",
            "sends a GET once when the used connection closes before the response",
            "sends a GET once when the used connection is reset before the response",
            "sends a streamed POST once when the used connection closes before the response",
            "sends a streamed POST once when the used connection is reset before the response",
            "sends a streamed PATCH once when the used connection closes before the response",
            "sends a streamed PATCH once when the used connection is reset before the response",
            "sends a streamed PUT once when the used connection closes before the response",
            "sends a streamed PUT once when the used connection is reset before the response",
            "sends once what expects 100 when the used connection breaks",
        ],
        "keeps cookies": [
            "does not send back a cookie that it was given"
        ],
        "keeps answers": [
            "answers nothing from a cache"
        ],
        "takes 304 for an error": [
            "delivers 304 to a condition of the caller's"
        ],
    ]
}
