#if JWT
import InterceptorKit

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The way to an issuer's keys: its metadata, which names their address, and the keys themselves.
struct KeyServer: Sendable {
    /// What a fetch brought.
    struct Keys: Sendable {
        let table: KeyTable
        /// The address, for the next fetch.
        let url: HTTP.URL
        /// The lifetime that the response stated; `nil` if it stated none.
        let lifetime: Duration?
    }

    /// The largest metadata, in bytes; usual ones have less than a tenth.
    private static let metadataLimit = 64 * 1024

    let issuer: String
    let client: HTTP.Client
    /// The address of the metadata; `nil` if that of the keys is given.
    let metadata: HTTP.URL?
    /// The origins that the metadata may refer to.
    let origins: Set<HTTP.Origin>
    let timeout: Duration

    /// Fetches the keys.
    /// - Parameter known: Their address; `nil` to read the metadata first.
    func keys(at known: HTTP.URL?) async -> Result<Keys, AuthorizationServerError> {
        let end = client.runtime.now.advanced(by: timeout)
        do throws(AuthorizationServerError) {
            let url =
                if let known { known } else { try await url(until: end) }
            let (data, headers) = try await content(
                of: url,
                upTo: KeyTable.contentLimit,
                until: end
            )
            let lifetime = headers.lifetime(at: client.runtime.date)
            return .success(
                Keys(table: try await KeyTable(json: data), url: url, lifetime: lifetime)
            )
        } catch {
            return .failure(error)
        }
    }

    private func url(until end: Runtime.Instant) async throws(AuthorizationServerError) -> HTTP.URL
    {
        guard let metadata else { throw malformed("has no address") }
        let (data, _) = try await content(of: metadata, upTo: Self.metadataLimit, until: end)
        guard case .object(let members)? = JSONValue(parsing: data) else {
            throw malformed("is not a JSON object")
        }
        // By bytes, against metadata of another issuer (RFC 8414 section 3.3).
        guard case .string(let named)? = members["issuer"], named.utf8.elementsEqual(issuer.utf8)
        else {
            throw AuthorizationServerError(
                .issuerMismatch,
                "The metadata at \(metadata) is of the issuer \(HTTP.printable(members["issuer"]?.text ?? "")), "
                    + "not \(HTTP.printable(issuer)). Give the issuer exactly as it names itself, also with "
                    + "or without a slash at the end."
            )
        }
        guard case .string(let text)? = members["jwks_uri"], let url = try? HTTP.URL(string: text),
            let origin = url.origin
        else { throw malformed("names no URL as jwks_uri") }
        guard origins.contains(origin) else {
            throw AuthorizationServerError(
                .untrustedOrigin,
                "The keys of \(HTTP.printable(issuer)) are at \(HTTP.printable(origin.description)), which is "
                    + "not the issuer's origin. If that is right, add it to the key set's origins."
            )
        }
        return url
    }

    private func malformed(_ problem: String) -> AuthorizationServerError {
        AuthorizationServerError(
            .malformedMetadata,
            "The metadata of \(HTTP.printable(issuer)) \(problem). Compare the issuer, and where it has "
                + "its metadata."
        )
    }

    /// Returns the content at a URL. Redirects are not followed.
    private func content(
        of url: HTTP.URL,
        upTo limit: Int,
        until end: Runtime.Instant
    ) async throws(AuthorizationServerError) -> (Data, HTTP.Headers) {
        let runtime = client.runtime
        // Not a part of the call that needs the keys, whose values, deadline and trace are not those of other calls.
        let call = Call(runtime: runtime, deadline: end)
        // Also past caches on the way, which may have the keys from before they were replaced.
        let request = HTTP.Request.get(
            url,
            headers: ["Accept": "application/json", "Cache-Control": "no-cache"]
        )
        do {
            let response = try await client.send(request) { sent in
                sent = sent.withDeadline(end)
                sent.parentCall = Call(runtime: runtime)
                sent.followsRedirects = false
            }
            let body = response.body.limited(
                to: call.remaining ?? timeout,
                of: call,
                by: "JSONWebKeySet"
            )
            guard response.status == 200 else {
                await body.discard()
                throw AuthorizationServerError(
                    .unreachable,
                    "\(url) answered with status \(response.status.code) in place of 200.",
                    retryAfter: response.headers.retryAfter(date: runtime.date)
                )
            }
            return (try await body.collect(upTo: limit), response.headers)
        } catch let error as AuthorizationServerError {
            throw error
        } catch let error as HTTP.ContentError where error.code == .tooLarge {
            throw AuthorizationServerError(
                limit == KeyTable.contentLimit ? .malformedKeys : .malformedMetadata,
                "What \(url) answered is larger than \(limit) bytes.",
                cause: error
            )
        } catch {
            throw AuthorizationServerError(
                .unreachable,
                "Nothing came from \(url). The cause is an error of the client that the key set has.",
                cause: error,
                retryAfter: (error as? any StatusReportingError)?.retryAfter
            )
        }
    }
}

extension HTTP.Headers {
    /// Returns how long a response that just came is fresh (RFC 9111 section 4.2), never negative; `nil` if it does not
    /// say.
    func lifetime(at date: Date) -> Duration? {
        let age = values("Age").first.flatMap(Self.seconds) ?? 0
        var stated: Int?
        for directive in values("Cache-Control").flatMap({ $0.split(at: ",") }) {
            let parts = HTTP.FieldSyntax.trimmed(String(directive)).lowercased()
                .split(at: "=", maxSplits: 1, omittingEmptySubsequences: false)
            switch parts.first ?? "" {
            case "no-store", "no-cache": stated = 0
            case "max-age":
                stated = Swift.min(
                    stated ?? .max,
                    parts.last.flatMap { Self.seconds(String($0)) } ?? 0
                )
            default: break
            }
        }
        if let stated { return .seconds(Swift.max(0, stated - age)) }
        guard let expires = values("Expires").first else { return nil }
        let sent = values("Date").first.flatMap { HTTP.date($0, now: date) } ?? date
        let end = HTTP.date(expires, now: date) ?? sent
        return .seconds(Swift.max(0, end.timeIntervalSince(sent) - Double(age)))
    }

    /// Reads a number of seconds, of which more than 2^31 count as that many (section 1.2.2), in quotes or not.
    private static func seconds(_ text: String) -> Int? {
        let text = String(text.rest(after: "\"")?.rest(before: "\"") ?? text[...])
        guard !text.isEmpty, text.utf8.allSatisfy({ 48...57 ~= $0 }) else { return nil }
        return Swift.min(Int(text) ?? .max, 1 << 31)
    }
}
#endif
