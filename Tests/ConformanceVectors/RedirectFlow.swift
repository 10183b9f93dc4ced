import Foundation
import InterceptorKit

/// One of the published flows: what curl sends on each hop when credentials are in play.
package struct RedirectFlow: Decodable, CustomStringConvertible {
    struct Hop: Decodable {
        let request_line: String
        let host: String
        let authorization: String?
        let cookie: String?
        let signature: Bool
        let x_amz_date: Bool
    }

    let origin: String
    let name: String
    let command: String
    let location: [String]
    let requests: [Hop]

    package var description: String { "\(origin.split(separator: "/").last ?? ""): \(name)" }

    static func all() throws -> [RedirectFlow] {
        struct File: Decodable { let cases: [RedirectFlow] }
        let data = try Vectors.data("auth/redirect-credentials.json")
        return try JSONDecoder().decode(File.self, from: data).cases
    }
}

/// What a flow's command says, in terms of a chain.
struct RedirectFlowSettings {
    /// What is asked, one after the other, without user information.
    private(set) var urls: [HTTP.URL] = []
    /// The fields given with `-H`.
    private(set) var headers: HTTP.Headers = [:]
    /// A cookie given with `-b`.
    private(set) var cookie: String?
    /// What goes as a credential to the first origin.
    private(set) var credential: Credential?
    /// Whether credentials and fields go along to any origin: `--location-trusted`.
    private(set) var isTrusting = false
    /// Whether the credential came in a URL, and so belongs to that alone.
    private(set) var isFromURL = false
    /// Whether requests are signed, and whether in the way of AWS.
    private(set) var signs = false
    private(set) var signsForAWS = false

    init(_ command: String) {
        var words = Self.words(command)[...]
        var userInformation: String?
        while let word = words.popFirst() {
            switch word {
            case "-H":
                let parts = (words.popFirst() ?? "").split(separator: ":", maxSplits: 1)
                headers.append(name: String(parts[0]), value: String(parts[1]))
            case "-b": cookie = words.popFirst()
            case "-u": credential = Self.basic(words.popFirst() ?? "")
            case "--oauth2-bearer": credential = .bearer(words.popFirst() ?? "")
            case "--location-trusted": isTrusting = true
            case "--aws-sigv4":
                signsForAWS = true
                words.removeFirst()
            case "-x", "--proxy", "--proxy-user", "--connect-to":
                words.removeFirst()
            case let option where option.hasPrefix("--httpsig"):
                signs = true
                words.removeFirst()
            case let url where url.hasPrefix("http://"):
                let rest = url.dropFirst("http://".count)
                if let at = rest.lastIndex(of: "@") { userInformation = String(rest[..<at]) }
                let place = rest.split(separator: "@").last ?? rest
                urls.append(HTTP.URL("http://\(raw: String(place))"))
            default: break
            }
        }
        guard credential == nil, let userInformation else { return }
        credential = Self.basic(userInformation)
        isFromURL = true
    }

    private static func basic(_ text: String) -> Credential {
        let parts = text.split(separator: ":", maxSplits: 1).map(String.init)
        return .basic(user: parts[0], password: parts[1])
    }

    // Words between blanks, with what is in quotes taken for one.
    private static func words(_ command: String) -> [String] {
        command.split(separator: "\"", omittingEmptySubsequences: false).enumerated()
            .flatMap { index, piece in
                index.isMultiple(of: 2)
                    ? piece.split(separator: " ").map(String.init) : [String(piece)]
            }
    }
}
