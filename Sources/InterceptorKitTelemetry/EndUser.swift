#if Logging || Tracing
import InterceptorKit

#if Logging
public import Logging
#endif

extension Call {
    /// The id of the caller for whom this call is made: its own principal, or that of the call it serves.
    var endUser: String? { (principal ?? (parentCall ?? Call.served)?.principal)?.id }
}

#if Logging
extension Logger.MetadataProvider {
    /// Adds `enduser.id`, the id of the caller that the current task serves (`Call.served`), to each line of a logger.
    ///
    /// It is personal data where callers are people, so no line has it unless you install this provider, as the one of a
    /// `Logger` or, with others, in `LoggingSystem.bootstrap`.
    public static var endUser: Logger.MetadataProvider {
        Logger.MetadataProvider {
            Call.served?.endUser.map { ["enduser.id": .string($0)] } ?? [:]
        }
    }
}
#endif
#endif
