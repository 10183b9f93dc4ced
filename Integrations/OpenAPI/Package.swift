// swift-tools-version: 6.2
import Foundation
import PackageDescription

// A package of its own, so that the library's resolves nothing for it. A copy of the runtime may be used instead of the
// published one, as `check` does.
let runtime: Package.Dependency =
    if let path = ProcessInfo.processInfo.environment["OPENAPI_RUNTIME_PATH"] {
        .package(name: "swift-openapi-runtime", path: path)
    } else {
        .package(url: "https://github.com/apple/swift-openapi-runtime", from: "1.8.0")
    }

let settings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .treatAllWarnings(as: .error),
]

let package = Package(
    name: "InterceptorKitOpenAPI",
    platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
    products: [.library(name: "InterceptorKitOpenAPI", targets: ["InterceptorKitOpenAPI"])],
    dependencies: [
        .package(name: "InterceptorKit", path: "../..", traits: ["HTTPTypes"]),
        .package(url: "https://github.com/apple/swift-http-types", from: "1.0.0"),
        runtime,
    ],
    targets: [
        .target(
            name: "InterceptorKitOpenAPI",
            dependencies: [
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "InterceptorKit", package: "InterceptorKit"),
                .product(name: "InterceptorKitHTTPTypes", package: "InterceptorKit"),
                .product(name: "OpenAPIRuntime", package: "swift-openapi-runtime"),
            ],
            swiftSettings: settings
        ),
        .testTarget(
            name: "InterceptorKitOpenAPITests",
            dependencies: [
                "InterceptorKitOpenAPI",
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "InterceptorKit", package: "InterceptorKit"),
                .product(name: "InterceptorKitCurl", package: "InterceptorKit"),
                .product(name: "InterceptorKitTesting", package: "InterceptorKit"),
                .product(name: "OpenAPIRuntime", package: "swift-openapi-runtime"),
            ],
            swiftSettings: settings
        ),
    ],
    swiftLanguageModes: [.v6]
)
