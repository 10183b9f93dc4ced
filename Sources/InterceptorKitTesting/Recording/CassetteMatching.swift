import InterceptorKit
import InterceptorKitInspection

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The rule by which a request matches a recorded one.
///
/// Method and URL always count. Both sides are compared with their secrets hidden, so a recording with one token
/// matches a request with another.
public struct CassetteMatching: Sendable, Hashable {
    /// Whether the bodies must be equal. A one-shot body, which is not read, matches any.
    public var comparesBody: Bool

    /// Header fields whose values must be equal. Hidden values equal each other.
    public var comparedFields: [String]

    /// Creates a rule.
    /// - Parameters:
    ///   - comparesBody: Whether the bodies must be equal. Defaults to `false`.
    ///   - comparedFields: Header fields whose values must be equal. Defaults to none.
    public init(comparesBody: Bool = false, comparedFields: [String] = []) {
        self.comparesBody = comparesBody
        self.comparedFields = comparedFields
    }

    /// Matches by method and URL.
    public static let methodAndURL = CassetteMatching()

    /// Matches by method, URL and body.
    public static let methodURLAndBody = CassetteMatching(comparesBody: true)

    func differences(of sent: HAR.Request, from recorded: HAR.Request) -> [ScriptDifference] {
        var differences: [ScriptDifference] = []
        if sent.method != recorded.method {
            differences.append(
                ScriptDifference(
                    "the method is \(sent.method), not \(recorded.method)",
                    distance: 0.5
                )
            )
        }
        if sent.url != recorded.url {
            differences.append(
                ScriptDifference(
                    "the URL is \(sent.url), not \(recorded.url)",
                    distance: 2 * editDistance(sent.url, recorded.url)
                )
            )
        }
        for name in comparedFields where values(name, sent) != values(name, recorded) {
            differences.append(
                ScriptDifference("the field \(name) has another value", distance: 0.25)
            )
        }
        if comparesBody, let problem = bodyDifference(sent.postData, recorded.postData) {
            differences.append(ScriptDifference(problem, distance: 0.25))
        }
        return differences
    }

    private func values(_ name: String, _ request: HAR.Request) -> [String] {
        request.headers.filter { HTTP.FieldSyntax.isSameName($0.name, name) }.map(\.value)
    }

    private func bodyDifference(_ sent: HAR.PostData?, _ recorded: HAR.PostData?) -> String? {
        // Content that was not read on either side cannot tell requests apart.
        if sent != nil && sent?.bytes == nil || recorded != nil && recorded?.bytes == nil {
            return nil
        }
        let (sent, recorded) = (sent?.bytes ?? Data(), recorded?.bytes ?? Data())
        guard sent != recorded else { return nil }
        let common = zip(sent, recorded).prefix { $0 == $1 }.count
        return
            "the body's \(sent.count) bytes differ from the \(recorded.count) recorded after the "
            + "first \(common)"
    }
}
