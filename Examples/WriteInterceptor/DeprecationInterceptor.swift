import InterceptorKit

/// Names the version of the service that the caller was written for, and reports what the service is about to
/// retire (`Deprecation` of RFC 9745, `Sunset` of RFC 8594).
///
/// Put it **above** signing, so that a signature covers the version.
struct DeprecationInterceptor: Interceptor {
    let version: String

    // Checked against the others when a pipeline is built.
    var placement: Placement? { .requestPreparation }

    // A literal that cannot work is found when a pipeline is built, not by the first request.
    func validate() throws {
        guard version.wholeMatch(of: /[0-9]{4}-[0-9]{2}-[0-9]{2}/) != nil else {
            throw InvalidVersion(version: version)
        }
    }

    func intercept(chain: InterceptorChain<HTTP.Request>) async throws -> HTTP.Response {
        let version = chain.call.serviceVersion ?? version
        let response = try await chain.proceed { $0.headers["X-Service-Version"] = version }
        if response.headers.contains("Deprecation") || response.headers.contains("Sunset") {
            chain.call.emit(
                "service.deprecated",
                ["sunset": .text(response.headers["Sunset"] ?? "not said")]
            )
        }
        return response
    }
}

struct InvalidVersion: Error, CustomStringConvertible {
    let version: String

    var description: String { "\"\(version)\" is no date. Name a version as in 2026-01-31." }
}

// What one call may say differently: a typed key that only this file knows.
private enum ServiceVersionKey: CallKey {
    static let defaultValue: String? = nil
}

extension Call {
    /// The version this call was written for; `nil`, the default, leaves it to the interceptor.
    var serviceVersion: String? {
        get { self[ServiceVersionKey.self] }
        set { self[ServiceVersionKey.self] = newValue }
    }
}
