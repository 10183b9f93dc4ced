// `import InterceptorKit` brings the core module too.
@_exported public import InterceptorKitCore
