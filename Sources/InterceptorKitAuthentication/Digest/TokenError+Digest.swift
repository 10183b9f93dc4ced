public import InterceptorKit

extension TokenError.Code {
    /// The server's proof that it knows the password is wrong, or belongs to another request.
    public static let wrongServerProof = TokenError.Code(description: "wrongServerProof")
    /// The server sent no proof that can be checked, and a proof is required.
    public static let missingServerProof = TokenError.Code(description: "missingServerProof")
}

extension TokenError {
    static let wrongServerProof = TokenError(
        .wrongServerProof,
        "The server did not prove that it knows the password: the rspauth of its "
            + "Authentication-Info is wrong, so another server may have answered. The request was sent "
            + "and may have been executed. If the server is known to compute it differently, use "
            + "serverProof: .ignored."
    )

    static let missingServerProof = TokenError(
        .missingServerProof,
        "The server gave no proof that it knows the password (rspauth) which could be "
            + "checked, and a proof is required. The request was sent and may have been carried out. If "
            + "the server sends none, use serverProof: .checked and TLS."
    )
}
