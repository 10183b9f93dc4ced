extension OutcomeClassifier {
    /// The classifier of a server's health for any input: every output is a success, and every error a
    /// failure, except a cancellation and a ``ClassifiedError``, which states its own classification.
    public static var health: OutcomeClassifier { .standard }
}
