import InterceptorKit

extension AWSEnvironment {
    /// Returns the region to sign for: `AWS_REGION`, then `AWS_DEFAULT_REGION`, the profile's `region`, and the region
    /// of the EC2 instance.
    /// - Parameter asksInstance: Whether to ask the metadata service as a last resort. Defaults to `true`.
    /// - Throws: `TokenError` with each place that was tried.
    public func region(asksInstance: Bool = true) async throws -> String {
        if let region = try configuredRegion() { return region }
        var tried = [
            TokenError.link("environment", "AWS_REGION is not set."),
            TokenError.link("profile", "It has no region."),
        ]
        if asksInstance {
            do {
                return try await InstanceMetadata(self).region()
            } catch let error as TokenError {
                tried.append(TokenError.link("instance metadata", error.message))
            }
        }
        throw TokenError.noRegion(after: tried)
    }
}
