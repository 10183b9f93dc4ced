extension Event.Name {
    /// An outcome was turned into one of your own errors: `code`.
    public static let errorMapped: Self = "error.mapped"
    /// An error was turned into a response.
    public static let errorRecovered: Self = "error.recovered"
    /// A response could not be decoded after its call had ended: `type`, `path` and `reason` if the content
    /// was wrong, otherwise `error.type`.
    public static let decodingFailed: Self = "response.decoding_failed"
}

extension HTTP.DecodingFailure? {
    func attributes(or error: any Error) -> Event.Attributes {
        guard let self else { return ["error.type": .text(Redaction.typeName(of: error))] }
        return [
            "type": .text(self.type), "path": .text(self.path),
            "reason": .text(self.code.description),
        ]
    }
}
