#if !HTTPTypes
/// Why a message could not be converted, once the trait is switched on.
@available(
    *,
    unavailable,
    message: "Switch on the trait HTTPTypes: .package(…, traits: [\"HTTPTypes\"])"
)
public struct ConversionError: Error {}
#endif
