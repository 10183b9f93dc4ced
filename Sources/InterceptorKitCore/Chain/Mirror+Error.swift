extension Mirror {
    /// Shows an error by its description and its cause by its type alone.
    ///
    /// A cause may be an error of another library or of the system, which may quote secrets.
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
