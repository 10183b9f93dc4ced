// Follows `var reached` at the end of a manifest: keeps the targets that it names, and what they depend on.
var kept: Set<String> = []
while let name = reached.popLast() {
    guard kept.insert(name).inserted, let target = package.targets.first(where: { $0.name == name })
    else { continue }
    for dependency in target.dependencies {
        switch dependency {
        case .targetItem(let name, _), .byNameItem(let name, _): reached.append(name)
        default: break
        }
    }
}
package.targets.removeAll { !kept.contains($0.name) }
package.products.removeAll { !kept.contains($0.name) }
