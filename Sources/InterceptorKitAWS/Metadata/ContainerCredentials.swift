import InterceptorKit

/// The credentials of a container, which is a task of Amazon ECS or a pod of Amazon EKS (AWS SDKs and Tools, "Container
/// credential provider").
struct ContainerCredentials {
    private static let name = "The container's credential service"
    private static let tokenLimit = 64 * 1024

    private let environment: AWSEnvironment

    init(_ environment: AWSEnvironment) { self.environment = environment }

    func credentials() async throws -> AWSCredentials {
        var headers: HTTP.Headers = ["Accept": "application/json"]
        let url = try url()
        // Read for each request, because a pod's token is replaced while it runs.
        headers["Authorization"] = try token()
        let (status, text) = try await environment.metadata(
            .get(url, headers: headers),
            within: .seconds(5),
            attempt: .seconds(2),
            from: Self.name
        )
        guard status == 200 else {
            throw TokenError(
                status.isServerError || status == 429 ? .unavailable : .refused,
                "\(Self.name) answered \(status)."
            )
        }
        return try AWSCredentials(metadata: text, from: Self.name)
    }

    private func url() throws(TokenError) -> HTTP.URL {
        let relative = "AWS_CONTAINER_CREDENTIALS_RELATIVE_URI"
        let full = "AWS_CONTAINER_CREDENTIALS_FULL_URI"
        if let path = environment.variable(relative) {
            guard path.begins(with: "/"), !path.begins(with: "//") else {
                throw .invalid("\(relative) does not begin with one slash.")
            }
            let url = HTTP.URL(unvalidated: "http://169.254.170.2\(path)")
            try MetadataAddress.check(url, MetadataAddress.container, relative)
            return url
        }
        guard let text = environment.variable(full) else {
            throw .notConfigured("Neither \(relative) nor \(full) is set.")
        }
        let url = HTTP.URL(unvalidated: text)
        // TLS authenticates the host.
        if url.scheme == "https", (try? url.validate()) != nil { return url }
        try MetadataAddress.check(url, MetadataAddress.container, full)
        return url
    }

    private func token() throws(TokenError) -> String? {
        let variable = "AWS_CONTAINER_AUTHORIZATION_TOKEN"
        guard let file = environment.variable(variable + "_FILE") else {
            return try environment.variable(variable).map { text throws(TokenError) in
                try checked(text, variable)
            }
        }
        let path = environment.path(file)
        guard let text = try BoundedFile.text(path, upTo: Self.tokenLimit) else {
            throw .invalid("There is no token file \(HTTP.printable(file)) (\(variable)_FILE).")
        }
        // Editors add one line end.
        return try checked(text.rest(before: "\n").map(String.init) ?? text, variable)
    }

    private func checked(
        _ token: String,
        _ variable: String
    ) throws(TokenError) -> String {
        guard !token.isEmpty, token.utf8.allSatisfy({ 0x20...0x7E ~= $0 }) else {
            throw .invalid(
                "The token of \(variable) is empty, or has characters that no field carries."
            )
        }
        return token
    }
}

extension AWSCredentialProvider {
    /// The role of the container: a task of Amazon ECS, a pod of Amazon EKS with Pod Identity, or a component of AWS
    /// IoT Greengrass. A token file is read again for each refresh.
    public static var container: AWSCredentialProvider {
        AWSCredentialProvider("container") { try await ContainerCredentials($0).credentials() }
    }
}
