import InterceptorKit
import TestSupport

/// A service that isn't HTTP asks for fewer calls.
struct Throttled: ClassifiedError {
    var wait = Duration.seconds(3)

    var classification: Classification {
        Classification(.throttled, reason: "slow down", retryAfter: wait)
    }
}
