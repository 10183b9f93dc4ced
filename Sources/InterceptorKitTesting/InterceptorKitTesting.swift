// Faults are for tests first. The server is a module of its own for programs that need nothing else.
@_exported public import InterceptorKitFaults
@_exported public import InterceptorKitLoopback
