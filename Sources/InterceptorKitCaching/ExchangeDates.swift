import InterceptorKit

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

struct ExchangeDates {
    let requestDate: Date
    let responseDate: Date
}
