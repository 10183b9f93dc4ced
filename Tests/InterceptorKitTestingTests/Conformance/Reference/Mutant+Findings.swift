extension Mutant {
    /// By which requirements each is found out: together all there are.
    static let findings = earlierFindings.merging(laterFindings) { first, _ in first }

    private static let earlierFindings: [String: [String]] = [
        "sends every method as TRACE": [
            "sends HEAD as it is",
            "sends POST as it is",
            "sends PUT as it is",
            "sends PATCH as it is",
            "sends DELETE as it is",
            "sends OPTIONS as it is",
            "sends QUERY as it is",
        ],
        "raises methods to capitals": [
            "keeps the case of a method"
        ],
        "sends unknown methods as GET": [
            "sends a method that is registered nowhere as it is"
        ],
        "gives GET a body": [
            "sends GET without a body or a length"
        ],
        "drops the query": [
            "sends path and query as they are",
            "keeps a question mark with nothing after it",
        ],
        "doubles the slash of an empty path": [
            "sends an empty path as a slash"
        ],
        "writes percent-encoding in capitals": [
            "keeps percent-encoding as it is written"
        ],
        "encodes what need not be encoded": [
            "keeps characters that need no encoding"
        ],
        "encodes brackets": [
            "keeps brackets that are not percent-encoded"
        ],
        "removes empty segments": [
            "keeps empty path segments"
        ],
        "removes dot segments": [
            "keeps dot segments",
            "keeps dot segments that are percent-encoded",
            "sends the target that a signature covers",
        ],
        "drops an empty query": [
            "keeps a question mark with nothing after it"
        ],
        "sorts the query": [
            "keeps repeated and empty query items in order"
        ],
        "drops items without a value": [
            "keeps a query that is empty apart from a slash path"
        ],
        "cuts long targets": [
            "sends a long target whole"
        ],
        "sends the fragment": [
            "does not send the fragment"
        ],
        "connects to the URL's host alone": [
            "connects to the address that a call names, or refuses the call"
        ],
        "uses connections of other addresses": [
            "connects to the address that a call names, or refuses the call"
        ],
        "leaves the port out of Host": [
            "names host and port in Host",
            "names the host in lower case, as signatures cover it",
        ],
        "sends without checking": [
            "refuses a field value with a line break",
            "refuses a field value with a line feed alone",
            "refuses a field value with a NUL",
            "refuses a field value with a control character",
            "refuses a field name with a line break",
            "refuses an empty field name",
            "refuses a method that is not a token",
            "refuses a Content-Length that is not the body's",
            "refuses a Content-Length with a sign",
            "refuses two Host fields",
            "refuses an empty Host",
            "refuses CONNECT",
            "refuses a Transfer-Encoding",
            "refuses a URL without scheme and host",
            "refuses a URL with a line break",
            "refuses a scheme other than http and https",
        ],
        "keeps the last of repeated fields": [
            "sends a field that is sent twice twice, or as one list, in order"
        ],
        "cuts long values": [
            "sends a long field whole"
        ],
        "sends at most a hundred fields": [
            "sends many fields"
        ],
        "sends ASCII alone": [
            "sends a value in UTF-8 byte for byte"
        ],
        "removes quotes from values": [
            "sends a field's value as it is"
        ],
        "replaces credentials": [
            "sends Authorization and Cookie as they are",
            "adds no credentials, cookies or conditions",
        ],
        "calls every body a form": [
            "sends Content-Type as it is, once",
            "does not call a body a form by itself",
        ],
        "speaks for itself": [
            "lets the caller choose what it would say of itself"
        ],
        "asks for gzip whatever the caller wants": [
            "sends Accept-Encoding as the caller chose it"
        ],
        "forgets what was sent": [
            "says in its response what was sent"
        ],
        "sends half of the body": [
            "sends a body in memory whole, with its length"
        ],
        "cuts large bodies": [
            "sends a large body whole"
        ],
        "sends bodies as text": [
            "sends every byte value unchanged"
        ],
        "drops the body of DELETE": [
            "sends the body of a DELETE"
        ],
        "drops streams": [
            "sends a stream that can be made again, whole",
            "sends a stream that can be read once, whole",
            "sends a file whole",
            "streams a request's body",
        ],
        "makes a stream twice": [
            "makes a stream that can be made again once a send"
        ],
        "ends a body where its stream fails": [
            "never sends a stream that was read before as nothing",
            "fails when the body's stream fails, and sends no shortened request",
            "fails where the file to send is not there",
        ],
        "sends something for nothing": [
            "sends a stream that has no chunk as an empty body"
        ],
        "sends whole files": [
            "sends a part of a file"
        ],
        "sends known lengths in chunks": [
            "sends a stream of a known length with this length"
        ],
        "states no length of an empty body": [
            "says that an empty POST has no body"
        ],
        "collects a body before it sends it": [
            "sends what a stream has made before it makes more"
        ],
        "sends the body of one upload for all": [
            "keeps several large uploads apart"
        ],
        "throws on an error status": [
            "delivers a response that comes before the body is read",
            "delivers each status as it is, errors too",
        ],
        "rounds statuses": [
            "delivers a status that is registered nowhere"
        ],
        "takes 205 for 200": [
            "delivers 205 without a body"
        ],
        "wants a reason phrase": [
            "takes any reason phrase"
        ],
        "wants HTTP/1.1": [
            "delivers a response in HTTP/1.0"
        ],
        "wants a blank after the colon": [
            "delivers a field without blank after the colon"
        ],
        "wants UTF-8 in fields": [
            "delivers a response that has a field value in Latin-1",
            "sends a tag back byte for byte that is not UTF-8",
        ],
        "delivers no fields": [
            "finds a field whatever the case of its name"
        ],
        "delivers the last of repeated fields": [
            "delivers repeated fields in order, as several or as one list"
        ],
        "joins cookies": [
            "keeps Set-Cookie fields apart"
        ],
        "drops empty fields": [
            "delivers a field whose value is empty"
        ],
        "delivers values without quotes": [
            "delivers a field's value as it is"
        ],
        "delivers cut values": [
            "delivers a long field whole"
        ],
        "delivers at most a hundred fields": [
            "delivers many fields"
        ],
        "delivers ASCII alone": [
            "delivers a value in UTF-8"
        ],
        "hyphens around values": [
            "takes the blanks around a value away"
        ],
    ]
}
