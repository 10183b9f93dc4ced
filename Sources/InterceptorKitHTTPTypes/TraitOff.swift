#if !HTTPTypes
/// The error of a message that could not be converted. Requires the trait `HTTPTypes`.
@available(
    *,
    unavailable,
    message: "Switch on the trait HTTPTypes: .package(…, traits: [\"HTTPTypes\"])"
)
public struct ConversionError: Error {}
#endif
