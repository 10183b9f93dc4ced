#if !Crypto
/// The padding of RSA signatures, available when the trait Crypto is on.
@available(
    *,
    unavailable,
    message: "Switch on the trait Crypto: .package(…, traits: [\"Crypto\"])"
)
public enum RSAPadding {}
#endif
