package import Testing

extension Trait where Self == ConditionTrait {
    /// Skips where one of these files and folders of the published vectors is not at hand.
    package static func vectors(_ paths: String...) -> Self {
        let missing = paths.filter { !Vectors.has($0) }.joined(separator: ", ")
        return .enabled(
            if: missing.isEmpty,
            "\(missing) not found: run Scripts/fetch-vectors, or set INTERCEPTORKIT_VECTORS"
        )
    }
}
