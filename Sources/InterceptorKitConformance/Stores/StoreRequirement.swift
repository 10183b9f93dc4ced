import InterceptorKit
import InterceptorKitSharedState
import InterceptorKitSigning

struct StoreRequirement<Store: Sendable>: Sendable {
    /// The environment of a trial.
    struct Context: Sendable {
        let store: Store
        let lease: Duration
        let runtime: Runtime
    }

    let name: String
    private let body: @Sendable (Context) async throws -> Void

    init(_ name: String, _ body: @escaping @Sendable (Context) async throws -> Void) {
        self.name = name
        self.body = body
    }

    func requirement(
        with make: @escaping @Sendable () async throws -> Context?
    ) -> TransportConformance.Requirement {
        TransportConformance.Requirement(name) { _ in
            guard let context = try await make() else {
                throw ExpectationFailure("There was a store of this kind, and there is none now.")
            }
            try await body(context)
        }
    }
}

extension StoreRequirement.Context {
    /// Returns text that no other requirement or run uses.
    func unique(_ text: String) -> String { "\(text)-\(runtime.randomBytes(8).hexadecimal)" }
}
