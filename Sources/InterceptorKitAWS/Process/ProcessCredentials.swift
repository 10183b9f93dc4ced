import InterceptorKit

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension AWSCredentialProvider {
    /// Returns the provider that runs a program, which writes credentials to its standard output (AWS SDKs and Tools,
    /// "Process credential provider").
    ///
    /// The program runs at each refresh, without a shell, with the environment's variables. It is killed with all its
    /// descendants if it takes longer than ``AWSEnvironment/processTimeout`` or writes more than 64 KiB. Its standard
    /// error is discarded, since it may contain secrets.
    /// - Parameter command: The program and its arguments, quoted as in a POSIX shell.
    public static func process(_ command: String) -> AWSCredentialProvider {
        AWSCredentialProvider("process") { try await AWSCredentials(command: command, in: $0) }
    }
}

extension AWSCredentials {
    private static let outputLimit = 64 * 1024

    private struct Output: Decodable {
        let version: Int
        let accessKeyID: String
        let secretAccessKey: String
        let sessionToken: String?
        let expiration: String?

        private enum CodingKeys: String, CodingKey {
            case version = "Version"
            case accessKeyID = "AccessKeyId"
            case secretAccessKey = "SecretAccessKey"
            case sessionToken = "SessionToken"
            case expiration = "Expiration"
        }
    }

    /// Runs a program and parses its output.
    init(command: String, in environment: AWSEnvironment) async throws {
        guard let words = ShellWords.split(command), let program = words.first else {
            throw TokenError.invalid(
                "A credential_process is empty, or has a quote without its end."
            )
        }
        let shown = HTTP.printable(program)
        let limit = environment.processTimeout
        let ending = try await ChildProcess.run(
            words,
            variables: environment.variables,
            limit: limit,
            outputLimit: Self.outputLimit,
            runtime: environment.runtime
        )
        switch ending {
        case .exited(0, let output):
            try self.init(output, shown)
        case .exited(let status, _):
            throw TokenError(
                .refused,
                "The credential_process \(shown) ended with status \(status). Run it by hand to see why."
            )
        case .killed(let signal):
            throw TokenError(
                .unavailable,
                "The credential_process \(shown) was ended by signal \(signal)."
            )
        case .timedOut:
            throw TokenError(
                .unavailable,
                "The credential_process \(shown) did not end within \(limit.formattedSeconds), and was "
                    + "killed."
            )
        case .tooMuchOutput:
            throw TokenError(
                .malformedResponse,
                "The credential_process \(shown) wrote more than \(Self.outputLimit) bytes, and was killed."
            )
        case .notStarted(let reason):
            throw TokenError.invalid(
                "The credential_process \(shown) cannot be started: \(reason)."
            )
        }
    }

    private init(_ output: [UInt8], _ shown: String) throws(TokenError) {
        guard let output = try? JSONDecoder().decode(Output.self, from: Data(output)) else {
            throw TokenError(
                .malformedResponse,
                "The credential_process \(shown) wrote no JSON with Version, AccessKeyId and "
                    + "SecretAccessKey."
            )
        }
        guard output.version == 1 else {
            throw TokenError(
                .malformedResponse,
                "The credential_process \(shown) wrote version \(output.version), and only 1 is known."
            )
        }
        let expiry = output.expiration.map(AWSTimestamp.date)
        if case .some(nil) = expiry {
            throw TokenError(
                .malformedResponse,
                "The credential_process \(shown) wrote an Expiration that is not a date."
            )
        }
        self.init(
            accessKeyID: output.accessKeyID,
            secretAccessKey: output.secretAccessKey,
            sessionToken: output.sessionToken,
            expiresAt: expiry ?? nil
        )
    }
}
