#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension HTTP.Client.Settings {
    /// The interceptors that complete requests and turn failed responses into errors.
    @InterceptorBuilder<HTTP.Request>
    func preparation(on runtime: Runtime) -> [any Interceptor<HTTP.Request>] {
        if isDebugging {
            debugging(on: runtime)
        }
        if let errorFilter {
            errorFilter
        }
        BaseURLInterceptor(baseURL)
        if !headers.isEmpty || headers.problem != nil {
            DefaultHeadersInterceptor(headers, origins: origins)
        }
        if let userAgent {
            UserAgentInterceptor(userAgent)
        }
        CommonParametersInterceptor(origins: origins, parameters)
        if addsIdempotencyKeys {
            IdempotencyKeyInterceptor()
        }
        if compressesBodies {
            CompressionInterceptor(origins: origins)
        }
    }

    /// The interceptors that identify the sender.
    @InterceptorBuilder<HTTP.Request> var authentication: [any Interceptor<HTTP.Request>] {
        if let token {
            TokenInterceptor(source: FixedCredentialSource(.bearer(token)), origins: origins)
        }
        if let credentials {
            credentials.interceptor(for: origins)
        }
        if let secret, let appID {
            SignInterceptor(.hmacSHA256(keyID: appID, secret: secret))
        }
    }

    private var origins: [HTTP.Origin] { baseURL.origin.map { [$0] } ?? [] }

    // An ID that is not a token, such as one with blanks, cannot be in the field.
    private var userAgent: HTTP.UserAgent? {
        guard let appID else { return nil }
        let agent = HTTP.UserAgent(appID, version: appVersion)
        return (try? agent.validate()) == nil ? nil : agent
    }

    private func parameters(_ call: Call) -> HTTP.Parameters {
        let names = parameterNames
        let time = "\(Int(call.runtime.date.timeIntervalSince1970))"
        let pairs = [
            (names.appID, appID), (names.appVersion, appVersion), (names.deviceID, deviceID),
            (names.locale, locale), (names.timestamp, time),
        ]
        var parameters = HTTP.Parameters()
        for case (let name?, let value?) in pairs { parameters.append(name: name, value: value) }
        return parameters
    }

    // Outermost to see the outcome of calls that send nothing, and innermost to see what is sent.
    @InterceptorBuilder<HTTP.Request>
    private func debugging(on runtime: Runtime) -> [any Interceptor<HTTP.Request>] {
        let calls = LoggingInterceptor(runtime: runtime, to: debugLog)
        let sends = calls.sharingOutput(debugDetail)
        AnyInterceptor("debug log of calls", placement: .callTelemetry) { chain in
            try await calls.intercept(chain: chain)
        }
        AnyInterceptor("debug log of sends", placement: .debugLog) { chain in
            try await sends.intercept(chain: chain)
        }
    }
}

extension Placement {
    fileprivate static let debugLog = Placement(
        "debug log",
        inside: [.chaos],
        outside: [.localResponse]
    )
}

extension CredentialSource {
    fileprivate func interceptor(for origins: [HTTP.Origin]) -> TokenInterceptor {
        TokenInterceptor(source: self, origins: origins)
    }
}
