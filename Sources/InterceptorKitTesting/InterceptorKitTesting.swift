// Faults are mainly for tests. The server is a separate module for programs that need nothing else.
@_exported public import InterceptorKitFaults
@_exported public import InterceptorKitLoopback
