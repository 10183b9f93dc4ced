extension AWSEnvironment {
    /// Returns the region to sign for: `AWS_REGION`, then `AWS_DEFAULT_REGION`, the profile's `region`, and the region
    /// of the EC2 instance.
    /// - Parameter asksInstance: Whether to ask the metadata service as a last resort. Defaults to `true`.
    /// - Throws: ``AWSCredentialError`` with each place that was tried.
    public func region(asksInstance: Bool = true) async throws -> String {
        if let region = try configuredRegion() { return region }
        var tried = [
            AWSCredentialError.Link("environment", "AWS_REGION is not set."),
            AWSCredentialError.Link("profile", "It has no region."),
        ]
        if asksInstance {
            do {
                return try await InstanceMetadata(self).region()
            } catch let error as AWSCredentialError {
                tried.append(AWSCredentialError.Link("instance metadata", error.message))
            }
        }
        throw AWSCredentialError.noRegion(after: tried)
    }
}
