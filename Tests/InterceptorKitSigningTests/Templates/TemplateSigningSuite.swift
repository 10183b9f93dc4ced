import Foundation
import InterceptorKit
import InterceptorKitSigning

/// A suite that signs by templates.
protocol TemplateSigningSuite {}

extension TemplateSigningSuite {
    var key: SigningKey { SigningKey(id: "app-1", secret: "secret".utf8) }
    var now: Date { Date(timeIntervalSince1970: 1_700_000_000) }

    var context: SigningContext {
        SigningContext(key: key, freshness: SignatureFreshness(date: now, nonce: "0011"))
    }
}
