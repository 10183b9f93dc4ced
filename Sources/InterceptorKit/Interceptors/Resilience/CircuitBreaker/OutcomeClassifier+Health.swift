extension OutcomeClassifier {
    /// What outcomes say about the other side's health, by error alone: any output is a success, any error a
    /// failure but cancellation and those that say something else (``ClassifiedError``).
    public static var health: OutcomeClassifier { .standard }
}
