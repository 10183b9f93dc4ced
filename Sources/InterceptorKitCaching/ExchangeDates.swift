import InterceptorKit

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// When a request was sent and its response came, by the wall clock.
struct ExchangeDates {
    let requestDate: Date
    let responseDate: Date
}
