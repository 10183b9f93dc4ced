public import InterceptorKit

private enum OperationID: CallKey {
    static let defaultValue: String? = nil
}

extension Call {
    /// The id of the operation in the OpenAPI document, for policies and telemetry by operation; `nil` for a call that
    /// no generated client has made.
    public var operationID: String? {
        get { self[OperationID.self] }
        set { self[OperationID.self] = newValue }
    }
}
