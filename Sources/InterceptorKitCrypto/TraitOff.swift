#if !Crypto
/// How RSA signs, once the trait is switched on.
@available(
    *,
    unavailable,
    message: "Switch on the trait Crypto: .package(…, traits: [\"Crypto\"])"
)
public enum RSAPadding {}
#endif
