import Expectations
import Foundation
import InterceptorKit
import Testing

@testable import InterceptorKitAWS

@Suite("Published examples of AWS credentials")
struct AWSCredentialExampleTests {
    @Test("reads the example of a container's answer in the AWS SDKs' guide")
    func container() throws {
        let credentials = try AWSCredentials(
            metadata: """
                {
                  "AccessKeyId" : "ASIAIOSFODNN7EXAMPLE",
                  "Expiration" : "2016-02-25T06:03:31Z",
                  "RoleArn": "TASK_ROLE_ARN",
                  "SecretAccessKey" : "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
                  "Token" : "AQoDYXdzEPT"
                }
                """,
            from: "The service"
        )

        expectEqual(credentials.accessKeyID, "ASIAIOSFODNN7EXAMPLE")
        expectEqual(credentials.secretAccessKey, "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY")
        expectEqual(credentials.sessionToken, "AQoDYXdzEPT")
        expectEqual(credentials.expiresAt, Date(timeIntervalSince1970: 1_456_380_211))
    }

    @Test("reads the example of the token service's answer in its API reference")
    func assumedRole() async throws {
        let services = Services { _, _ in
            .text(
                """
                <AssumeRoleResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/">
                  <AssumeRoleResult>
                  <SourceIdentity>Alice</SourceIdentity>
                    <AssumedRoleUser>
                      <Arn>arn:aws:sts::123456789012:assumed-role/demo/TestAR</Arn>
                      <AssumedRoleId>ARO123EXAMPLE123:TestAR</AssumedRoleId>
                    </AssumedRoleUser>
                    <Credentials>
                      <AccessKeyId>ASIAIOSFODNN7EXAMPLE</AccessKeyId>
                      <SecretAccessKey>wJalrXUtnFEMI/K7MDENG/bPxRfiCYzEXAMPLEKEY</SecretAccessKey>
                      <SessionToken>AQoDYXdzEPT4aFVScY+PC&amp;=</SessionToken>
                      <Expiration>2099-11-09T13:34:41Z</Expiration>
                    </Credentials>
                    <PackedPolicySize>6</PackedPolicySize>
                  </AssumeRoleResult>
                </AssumeRoleResponse>
                """
            )
        }
        let environment = AWSEnvironment.test(
            services,
            ["AWS_ACCESS_KEY_ID": "A", "AWS_SECRET_ACCESS_KEY": "a"],
            runtime: .live
        )

        let outcome = try await outcome(
            .assumedRole("arn:aws:iam::123456789012:role/demo", by: .environment),
            environment
        )

        expectEqual(
            outcome,
            "ASIAIOSFODNN7EXAMPLE wJalrXUtnFEMI/K7MDENG/bPxRfiCYzEXAMPLEKEY AQoDYXdzEPT4aFVScY+PC&="
        )
    }
}
