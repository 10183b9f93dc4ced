import Foundation

/// The AWS SDKs' retry tables.
struct AWSRetryVectors: Decodable {
    struct Given: Decodable {
        var max_attempts: Int?
        var initial_retry_tokens: Int?
        var max_backoff_time: Double?
        var long_polling: Bool?
    }

    struct Step: Decodable {
        struct Response: Decodable {
            var status_code: Int
            var error_code: String?
            var headers: [String: String]?
        }

        struct Expected: Decodable {
            var outcome: String
            var retry_quota: Int?
            var delay: Double?
        }

        var response: Response
        var expected: Expected
    }

    struct Scenario: Decodable {
        var name: String
        var given: Given
        var responses: [Step]
    }

    struct Threads: Decodable {
        var given: Given
        var threads: [[Step]]
        var expected_final_quota: Int
    }

    struct Cubic: Decodable {
        struct Given: Decodable {
            var last_max_rate: Double
            var last_throttle_time: Double
        }

        struct Case: Decodable {
            var response: String
            var timestamp: Double
            var calculated_rate: Double
        }

        var name: String
        var given: Given
        var cases: [Case]
    }

    struct EndToEnd: Decodable {
        struct Case: Decodable {
            var response: String
            var timestamp: Double
            var measured_tx_rate: Double
            var new_token_bucket_rate: Double
        }

        var cases: [Case]
    }

    struct Series: Decodable {
        var name: String
        var initial_ms: Int
        var throttling_base_ms: Int?
        var factor: Double
        var jitter: Double
        var max_ms: Int?
        var retry_after_ms: Int?
        var expected_ms: [Int]?
        var expected_ranges_ms: [[Int]]?
    }

    struct Bucket: Decodable {
        var name: String
    }

    struct Check: Decodable {
        var name: String
    }

    var standard_v2_0: [Scenario]
    var standard_v2_1: [Scenario]
    var standard_v2_1_long_polling: [Scenario]
    var standard_v2_1_multi_invocation: [Scenario]
    var standard_v2_1_multi_threaded: [Threads]
    var adaptive_cubic: [Cubic]
    var adaptive_end_to_end: [EndToEnd]
    // What stands in no file of the SDKs as a table; only where somebody wrote it down.
    var backoff_series: [Series]?
    var token_bucket: [Bucket]?
    var smithy_rs_cross_checks: [Check]?
}
