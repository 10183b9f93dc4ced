import InterceptorKit

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The dates at which a request was sent and its response received.
struct ExchangeDates {
    let requestDate: Date
    let responseDate: Date
}
