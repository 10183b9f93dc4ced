import Expectations
import Testing

@testable import InterceptorKit
@testable import InterceptorKitCaching

@Suite("EntityTag")
struct EntityTagTests {
    // The table of RFC 9110 section 8.8.3.2.
    @Test(
        "tags are equal weakly and strongly as in RFC 9110",
        arguments: [
            (#"W/"1""#, #"W/"1""#, false, true), (#"W/"1""#, #"W/"2""#, false, false),
            (#"W/"1""#, #""1""#, false, true), (#""1""#, #""1""#, true, true),
            (#""1""#, "1", false, false), (#"w/"1""#, #""1""#, false, false),
        ]
    )
    func comparison(first: String, second: String, isStrong: Bool, isWeak: Bool) throws {
        let (one, other) = (try unwrap(EntityTag(first)), try unwrap(EntityTag(second)))

        for (left, right) in [(one, other), (other, one)] {
            expectEqual(left.isStronglyEqual(to: right), isStrong)
            expectEqual(left.isWeaklyEqual(to: right), isWeak)
        }
    }

    @Test(
        "is named by a list that has it, weakly or strongly, or an asterisk",
        arguments: [
            ([#""a,b""#], true), ([#"W/"a,b""#], true), ([#""x", "a,b""#], true),
            ([#""x""#, #""y","a,b""#], true), (["*"], true), ([#""a", "b""#], false),
            ([#""x, "a,b""#], false), ([""], false), ([], false),
        ]
    )
    func lists(list: [String], isNamed: Bool) throws {
        #expect(try unwrap(EntityTag(#""a,b""#)).isNamed(in: list) == isNamed)
    }

    @Test(
        "is of one version with its tag before compression, and of no other",
        arguments: [
            (#""1-gzip""#, #""1""#, true), (#"W/"1--gzip""#, #""1""#, true),
            (#""1-br""#, #"W/"1""#, true), (#""1-gzip""#, #""1-br""#, false),
            (#""1-gzip""#, #""2""#, false), (#""1-2""#, #""1""#, false),
            (#""-gzip""#, #""1""#, false),
        ]
    )
    func versions(first: String, second: String, isSame: Bool) throws {
        let (one, other) = (try unwrap(EntityTag(first)), try unwrap(EntityTag(second)))

        expectEqual(one.isOfSameVersion(as: other), isSame)
        expectEqual(other.isOfSameVersion(as: one), isSame)
    }

    @Test("is nothing without text")
    func empty() { expectEqual(EntityTag(""), nil) }
}
