extension Mirror {
    /// Shows an error by its description and its cause by its type alone.
    ///
    /// A cause may be an error of a library or of the system, and what that quotes is not known.
    init(
        of error: some Error & CustomStringConvertible,
        code: some CustomStringConvertible,
        cause: (any Error)?
    ) {
        self.init(
            error,
            children: [
                "code": code.description, "description": error.description,
                "cause": cause.map { Redaction.typeName(of: $0) } as Any,
            ]
        )
    }
}
