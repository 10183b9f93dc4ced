/// How far apart two texts are: the fewest insertions, deletions and substitutions of characters
/// that turn one into the other (Levenshtein 1966), over the longer one's length; 0 means equal, 1
/// means nothing in common.
package func editDistance(_ left: String, _ right: String) -> Double {
    // Enough to tell paths apart, and what keeps the cost of a failing send small.
    let left = Array(left.utf8.prefix(256))
    let right = Array(right.utf8.prefix(256))
    guard !left.isEmpty, !right.isEmpty else { return left.isEmpty && right.isEmpty ? 0 : 1 }
    var row = Array(0...right.count)
    for (index, byte) in left.enumerated() {
        var diagonal = row[0]
        row[0] = index + 1
        for (column, other) in right.enumerated() {
            let substitution = diagonal + (byte == other ? 0 : 1)
            diagonal = row[column + 1]
            row[column + 1] = min(substitution, row[column] + 1, row[column + 1] + 1)
        }
    }
    return Double(row[right.count]) / Double(max(left.count, right.count))
}
