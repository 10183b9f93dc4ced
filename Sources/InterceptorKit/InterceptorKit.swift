// One import brings the whole library to the code that sends HTTP requests.
@_exported public import InterceptorKitCore
