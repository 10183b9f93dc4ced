// Credentials of AWS where servers run.

import InterceptorKit
import InterceptorKitAWS
import InterceptorKitCurl
import InterceptorKitSigning

struct Vault: Sendable {
    func credentials() async throws -> AWSCredentials {
        AWSCredentials(accessKeyID: "AKIAIOSFODNN7EXAMPLE", secretAccessKey: "not for production")
    }
}

func storage(_ transport: some Transport<HTTP.Request>) async throws -> HTTP.Client {
    let environment = AWSEnvironment(transport: transport)
    let keys = try AWSSigningKeys(in: environment)
    let region = try await environment.region()
    let storage = try HTTP.Client(transport: transport) {
        RetryInterceptor(policy: .standard)
        SignInterceptor(RequestSigner(.s3(region: region), keys: keys))
    }
    return storage
}

func byDefault(
    _ transport: some Transport<HTTP.Request>,
    region: String
) throws -> SignInterceptor {
    let environment = AWSEnvironment(transport: transport)
    let keys = try AWSSigningKeys(.default, in: environment)
    let sign = SignInterceptor(RequestSigner(.s3(region: region), keys: keys))
    return sign
}

func others(
    in environment: AWSEnvironment,
    _ vault: Vault
) throws -> (AWSSigningKeys, AWSCredentialProvider, AWSCredentialProvider) {
    let reader = try AWSSigningKeys(
        .assumedRole("arn:aws:iam::123456789012:role/reader", by: .default),
        in: environment
    )
    let own = AWSCredentialProvider.chain([
        .environment,
        AWSCredentialProvider("vault") { _ in try await vault.credentials() },
        .container,
    ])
    let provider = AWSCredentialProvider.assumedRole(
        "arn:aws:iam::123456789012:role/reader",
        by: .default
    )
    return (reader, own, provider)
}

func withoutProxy() throws -> AWSEnvironment {
    var settings = CurlTransport.Settings()
    settings.proxy = .none
    let environment = AWSEnvironment(
        transport: try CurlTransport(),
        metadataTransport: try CurlTransport(settings: settings)
    )
    return environment
}
