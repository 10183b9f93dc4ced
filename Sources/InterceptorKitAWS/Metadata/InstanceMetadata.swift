import InterceptorKit

/// The metadata service of an EC2 instance, in version 2 (Amazon EC2, "Use IMDS").
struct InstanceMetadata {
    private static let name = "The instance metadata service"
    private static let timeout: Duration = .seconds(1)
    /// Six hours, the longest lifetime that the service allows.
    private static let tokenLifetime = "21600"

    private let environment: AWSEnvironment

    init(_ environment: AWSEnvironment) { self.environment = environment }

    func credentials() async throws -> AWSCredentials {
        let session = try await session()
        let folder = "latest/meta-data/iam/security-credentials/"
        let list = try await session.get(folder, absentMeans: "The instance has no role.")
        let role = list.firstLine
        // The characters of a role's name (IAM, "IAM and AWS STS quotas").
        let isName = role.utf8.allSatisfy { byte in
            "+=,.@-_".utf8.contains(byte) || 0x30...0x39 ~= byte || 0x41...0x5A ~= byte
                || 0x61...0x7A ~= byte
        }
        guard !role.isEmpty, isName else {
            throw TokenError.notConfigured("The instance has no role.")
        }
        let text = try await session.get(folder + role, absentMeans: "The role has no credentials.")
        return try AWSCredentials(metadata: text, from: Self.name)
    }

    func region() async throws -> String {
        let text = try await session().get(
            "latest/meta-data/placement/region",
            absentMeans: "The instance metadata service knows no region."
        )
        let region = text.trimmed
        guard (try? HTTP.URL.service("sts", in: region)) != nil else {
            throw TokenError(.malformedResponse, "\(Self.name) names no region.")
        }
        return region
    }

    private struct Session {
        let environment: AWSEnvironment
        let base: HTTP.URL
        let headers: HTTP.Headers

        func get(_ path: String, absentMeans reason: String) async throws -> String {
            let (status, text) = try await environment.metadata(
                .get(HTTP.URL("/\(raw: path)").joined(to: base), headers: headers),
                within: .seconds(5),
                attempt: InstanceMetadata.timeout,
                from: InstanceMetadata.name
            )
            if status == 404 { throw TokenError.notConfigured(reason) }
            guard status == 200 else {
                throw TokenError(
                    status.isServerError ? .unavailable : .refused,
                    "\(InstanceMetadata.name) answered \(status)."
                )
            }
            return text
        }
    }

    /// Starts a session with the service; throws if there is no service.
    private func session() async throws -> Session {
        guard environment.variable("AWS_EC2_METADATA_DISABLED")?.lowercased() != "true" else {
            throw TokenError.notConfigured("AWS_EC2_METADATA_DISABLED is true.")
        }
        let base = try base()
        let runtime = environment.runtime
        guard !environment.absence.isKnown(at: runtime.now) else { throw absent(base) }
        let url = HTTP.URL("/latest/api/token").joined(to: base)
        let headers: HTTP.Headers = ["X-aws-ec2-metadata-token-ttl-seconds": Self.tokenLifetime]
        let status: HTTP.Status
        let text: String
        do {
            (status, text) = try await environment.metadata(
                .put(url, headers: headers),
                within: Self.timeout,
                attempt: Self.timeout,
                from: Self.name
            )
        } catch let error as TokenError where error.code == .unavailable {
            guard environment.absence.note(at: runtime.now) else { throw error }
            throw absent(base)
        } catch let error as TokenError where error.code == .invalidConfiguration {
            throw TokenError.notConfigured(error.message)
        }
        environment.absence.notePresence()
        switch status.code {
        case 200:
            let token = text.trimmed
            guard !token.isEmpty, token.utf8.allSatisfy({ 0x21...0x7E ~= $0 }) else {
                throw TokenError(
                    .malformedResponse,
                    "\(Self.name) gave no session token."
                )
            }
            return Session(
                environment: environment,
                base: base,
                headers: ["X-aws-ec2-metadata-token": token]
            )
        case 404, 405:
            guard environment.allowsIMDSv1 else {
                throw TokenError.notConfigured(
                    "\(Self.name) has no version 2, and version 1 is not used (allowsIMDSv1)."
                )
            }
            return Session(environment: environment, base: base, headers: [:])
        case 403:
            throw TokenError.notConfigured("\(Self.name) is switched off (403).")
        default:
            throw TokenError(
                status.isServerError ? .unavailable : .refused,
                "\(Self.name) answered \(status) when a session was to begin."
            )
        }
    }

    private func absent(_ base: HTTP.URL) -> TokenError {
        .notConfigured("Nobody answered at \(base.host ?? "") within 1 s, so this is no instance.")
    }

    private func base() throws(TokenError) -> HTTP.URL {
        let profile = try SharedConfig(environment).profile(environment.profileName)
        let setting = "ec2_metadata_service_endpoint"
        let variable = "AWS_EC2_METADATA_SERVICE_ENDPOINT"
        if let text = environment.variable(variable) ?? profile?[setting], !text.isEmpty {
            let url = HTTP.URL(unvalidated: text)
            try MetadataAddress.check(url, MetadataAddress.instance, variable)
            return url
        }
        let mode =
            environment.variable(variable + "_MODE") ?? profile?[setting + "_mode"] ?? "ipv4"
        switch mode.lowercased() {
        case "ipv4": return "http://169.254.169.254"
        case "ipv6": return "http://[fd00:ec2::254]"
        default: throw .invalid("\(variable)_MODE is neither IPv4 nor IPv6.")
        }
    }
}

extension String {
    fileprivate var firstLine: String {
        unicodeScalars.split { $0 == "\n" || $0 == "\r" }.first.map { String($0) } ?? ""
    }

    fileprivate var trimmed: String {
        HTTP.FieldSyntax.trimmed(firstLine)
    }
}

extension AWSCredentialProvider {
    /// The role of the EC2 instance, from its metadata service in version 2.
    ///
    /// A missing service is detected after 1 s and gets no requests for the next 5 minutes.
    public static var instanceMetadata: AWSCredentialProvider {
        AWSCredentialProvider("instance metadata") { try await InstanceMetadata($0).credentials() }
    }
}
