import InterceptorKit

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension AWSEnvironment {
    /// Sends a request through its own chain and reads the response within the call's time.
    /// - Parameters:
    ///   - limit: The largest response, in bytes.
    ///   - service: The service's name for errors, which repeat nothing of the response.
    func response(
        to request: HTTP.Request,
        _ interceptors: [any Interceptor<HTTP.Request>],
        over transport: any Transport<HTTP.Request>,
        upTo limit: Int,
        from service: String
    ) async throws -> (HTTP.Status, Data) {
        do {
            let pipeline = try Pipeline(interceptors, transport: transport, runtime: runtime)
            let call = pipeline.makeCall()
            let response = try await pipeline.run(request, call: call)
            let body = try await response.body
                .limited(to: .seconds(10), of: call, by: "AWSEnvironment")
                .collect(upTo: limit)
            return (response.status, body)
        } catch let error where !(error is CancellationError) {
            try Task.checkCancellation()
            throw TokenError(
                .unavailable,
                "\(service) at \(request.url.origin?.description ?? "") gave no response: "
                    + (error is any CodedError ? "\(error)" : "\(Redaction.typeName(of: error)).")
            )
        }
    }

    /// Returns the endpoint that is configured for a service in place of AWS's own.
    func endpoint(
        for service: String,
        _ profile: ConfigFile.Section?
    ) throws(TokenError) -> HTTP.URL? {
        guard variable("AWS_IGNORE_CONFIGURED_ENDPOINT_URLS")?.lowercased() != "true" else {
            return nil
        }
        let config = try SharedConfig(self)
        let profile = profile ?? config.profile(profileName)
        let services = profile?["services"].flatMap { config.services[$0] }
        let text =
            variable("AWS_ENDPOINT_URL_\(service.uppercased())") ?? variable("AWS_ENDPOINT_URL")
            ?? services?.nested[service]?["endpoint_url"] ?? profile?["endpoint_url"]
        guard let text, !text.isEmpty else { return nil }
        do throws(HTTP.RequestError) {
            let url = try HTTP.URL(string: text)
            return url.path.isEmpty ? HTTP.URL("/").joined(to: url) : url
        } catch {
            throw .invalid("The endpoint for \(service) is not a URL: \(error)")
        }
    }
}

extension HTTP.URL {
    static func service(
        _ name: String,
        in region: String
    ) throws(TokenError) -> HTTP.URL {
        let isHostLabel: (UInt8) -> Bool = {
            UInt8(ascii: "a")...UInt8(ascii: "z") ~= $0
                || UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0
                || $0 == UInt8(ascii: "-")
        }
        // The region becomes part of a host name.
        guard !region.isEmpty, region.utf8.count <= 63, region.utf8.allSatisfy(isHostLabel) else {
            throw .invalid("\(HTTP.printable(region)) is not a region of AWS.")
        }
        let suffix = region.begins(with: "cn-") ? "amazonaws.com.cn" : "amazonaws.com"
        return HTTP.URL(unvalidated: "https://\(name).\(region).\(suffix)/")
    }
}
