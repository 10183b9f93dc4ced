package import Testing

extension Trait where Self == ConditionTrait {
    /// Skips where a file or folder of the published vectors is not at hand.
    package static func vectors(_ path: String) -> Self {
        .enabled(
            if: Vectors.has(path),
            "the vectors are not beside the package and INTERCEPTORKIT_VECTORS names no place"
        )
    }
}
