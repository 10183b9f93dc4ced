// Faults are for tests first.
@_exported public import InterceptorKitFaults
