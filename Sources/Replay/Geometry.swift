import ProgramModel
import RuleLibrary
import SourceText

/// The monitor of sizes and places: follows what is read from views into what is set by it.
extension Machine {
    private var knowledge: GeometryKnowledge? { watchesGeometry ? library.geometry : nil }

    private func hasGeometry(_ id: ObjectID, _ knowledge: GeometryKnowledge) -> Bool {
        guard let name = className(of: id), !knowledge.sizedClasses.contains(where: { program.platform.isClass(name, kindOf: $0) }) else { return false }
        return knowledge.classes.contains { program.platform.isClass(name, kindOf: $0) }
    }

    /// What a read of a property of a view means: nil when it has nothing to do with its size or place.
    mutating func readGeometry(_ name: String, of id: ObjectID) -> Value? {
        guard let knowledge else { return nil }
        if knowledge.laysOutLater(name) { world.geometry.constrained.insert(id) }
        guard knowledge.reads.contains(name), hasGeometry(id, knowledge) else { return nil }
        let sized = view(ofLayer: id) ?? id
        if let known = world[id].fields[name] {
            guard case .unknown(let number) = known, let read = world.geometry.values[number] else { return known }
            if read.event == event {
                // What comes of this read is reported here, and not at an earlier one.
                world.geometry.values[number] = GeometryLog.Read(object: sized, property: name, site: place ?? read.site, event: event, isZero: read.isZero, isGiven: read.isGiven)
                return known
            }
        }
        let value = world.unknown()
        if let site = place, case .unknown(let number) = value, !isSettled(id), !isSettled(sized), world.geometry.laidOutIn != event {
            world.geometry.values[number] = GeometryLog.Read(
                object: sized, property: name, site: site, event: event, isZero: world.geometry.empty.contains(sized), isGiven: !world.geometry.given.isDisjoint(with: [id, sized]))
        }
        world[id].fields[name] = value
        return value
    }

    /// The view whose own layer an object is, which has the size of its view.
    private func view(ofLayer id: ObjectID) -> ObjectID? {
        guard isLayer(id) else { return nil }
        return world.objects.indices.lazy.map { ObjectID(index: $0) }.first { self.world[$0].fields["layer"] == .object(id) }
    }

    /// The read from which a value was computed, if any.
    private func read(behind value: Value) -> GeometryLog.Read? {
        switch value {
        case .unknown(let number): world.geometry.values[number]
        case .object(let id): world.geometry.objects[id]
        case .tuple(let parts), .collection(let parts), .named(_, let parts): firstRead(behind: parts)
        default: nil
        }
    }

    private func firstRead(behind values: [Value]) -> GeometryLog.Read? {
        for value in values { if let found = read(behind: value) { return found } }
        return nil
    }

    /// What is read of a value that was read early; where the bounds begin is no matter of the layout.
    mutating func carryGeometry(from base: Value, toPart name: String, _ result: Value) {
        guard watchesGeometry else { return }
        carryNib(from: base, to: result)
        if let knowledge, let read = read(behind: base), knowledge.beginnings.contains(name) && read.property == "bounds" || isSteady(name, of: read.object, knowledge) { return }
        carryGeometry(from: [base], to: result)
    }

    /// What is taken from what a nib made, a nib made.
    mutating func carryNib(from whole: Value, to part: Value) {
        guard case .unknown(let number) = whole, world.geometry.ofNibs.contains(number), case .unknown(let taken) = part else { return }
        world.geometry.ofNibs.insert(taken)
    }

    /// Whether a property or function takes a dimension of a view that is the same before and after the layout.
    private func isSteady(_ name: String, of view: ObjectID, _ knowledge: GeometryKnowledge) -> Bool {
        guard let dimension = knowledge.dimension(takenBy: name) else { return false }
        if dimension == "width", isLetterboxed { return true }
        if dimension == "height", world.geometry.steadyHeights.contains(view), !world.geometry.constrained.contains(view) { return true }
        if isFixedByItsNibs(dimension, of: view) { return true }
        return world.objects.contains { object in
            guard case .project(let type) = object.kind else { return false }
            if dimension == "width", object.fields["view"] == .object(view), program.isType(type, kindOf: "UIViewController") { return lookups.hasSteadyWidth(type) }
            return object.fields.contains { field, value in
                value == .object(view) && property(field, of: type)?.member.isOutlet ?? false && program.isFixed([dimension], ofOutlet: field, of: type)
            }
        }
    }

    /// A value that was computed from others is final only if they are.
    mutating func carryGeometry(from sources: [Value], to result: Value) {
        guard watchesGeometry, let read = firstRead(behind: sources) else { return }
        switch result {
        case .unknown(let number): if world.geometry.values[number] == nil { world.geometry.values[number] = read }
        case .object(let id): world.geometry.objects[id] = read
        default: break
        }
    }

    /// A view hands a frame to its superclass: one that its own code computes is its size; the one that it was made with is early.
    private mutating func noteOwnFrame(_ call: Call, _ arguments: [Value]) {
        guard case .object(let id) = world.frames[current].selfValue, let frame = call.arguments.firstIndex(where: { $0.label == "frame" }), frame < arguments.count else { return }
        let value = arguments[frame]
        let isHandedOn = world.frames[current].context.body.parameters.contains { world.frames[current].locals[$0] == value }
        if let early = read(behind: value) {
            // What it makes of a frame that it computed it makes of its own from here on; one that was given is the giver's.
            if early.object != id, !isHandedOn, case .unknown(let number) = value { noteFrame(number, of: id) }
            return
        }
        guard !Self.zeros.contains(value) else { return }
        if isHandedOn, world.frames[current].caller == nil {
            if case .unknown(let number) = value { noteFrame(number, of: id) }
        } else {
            world.geometry.given.insert(id)
        }
    }

    /// A value is the frame with which a view is made.
    private mutating func noteFrame(_ number: Int, of id: ObjectID) {
        guard let site = place else { return }
        world.geometry.values[number] = GeometryLog.Read(object: id, property: "frame", site: site, event: event, isZero: false, isGiven: false, isParameter: true)
    }

    private static let zeros: [Value] = [.named("zero", []), .named("CGRect.zero", []), .named("NSRect.zero", []), .named("CGRectZero", []), .named("NSZeroRect", [])]

    /// What a call does to sizes: it may lay out, or make a value from values.
    mutating func noteGeometry(of call: Call, _ arguments: [Value], receiver: Value?, result: Value) {
        guard let knowledge else { return }
        if case .initializer(let type) = call.callee {
            if type.name == "NSLayoutConstraint" { for case .object(let id) in arguments { world.geometry.constrained.insert(id) } }
            if knowledge.carrierTypes.contains(type.name) || knowledge.carries(type.name) { return carryGeometry(from: arguments, to: result) }
            guard case .object(let id) = result, hasGeometry(id, knowledge) else { return }
            if call.arguments.isEmpty { world.geometry.empty.insert(id) }
            // A view of a picture is made as large as that.
            if call.arguments.first?.label == "image", type.name == "UIImageView" { world.geometry.given.insert(id) }
            guard let frame = call.arguments.firstIndex(where: { $0.label == "frame" }) else {
                if case .project(let made) = world[id].kind, program.framesItself(made, by: call) { world.geometry.settled.insert(id) }
                return
            }
            if let read = read(behind: arguments[frame]), let site = place {
                world.geometry.note(GeometryLog.Kept(object: id, property: "frame"), read, site)
            } else if !Self.zeros.contains(arguments[frame]) {
                world.geometry.settled.insert(id)
            }
            return
        }
        guard let name = call.callee.baseName else { return }
        if name == "init", case .superMember = call.callee { noteOwnFrame(call, arguments) }
        if knowledge.loadsNib.contains(name), case .unknown(let number) = result { world.geometry.ofNibs.insert(number) }
        if let receiver { carryNib(from: receiver, to: result) }
        if knowledge.sizes.contains(name), firstRead(behind: arguments) == nil, case .object(let id) = receiver ?? world.frames[current].selfValue { world.geometry.settled.insert(id) }
        if let argument = arguments.first, let read = read(behind: argument), knowledge.beginnings.contains(name) && read.property == "bounds" || isSteady(name, of: read.object, knowledge) { return }
        if knowledge.laysOut.contains(name) { world.geometry.laidOutIn = event }
        if knowledge.laysOutLater(name) {
            for value in arguments + [receiver].compactMap({ $0 }) {
                if case .object(let id) = value { world.geometry.constrained.insert(id) }
                if case .unknown(let number) = value { world.geometry.constrained.insert(holder(of: number)) }
            }
        }
        if knowledge.carries(name) { carryGeometry(from: [receiver].compactMap { $0 } + arguments, to: result) }
        if let receiver, case .object(let id) = receiver, isPath(id), knowledge.pathCalls.contains(name) { carryGeometry(from: arguments, to: receiver) }
    }

    private func isPath(_ id: ObjectID) -> Bool { className(of: id).map { ["UIBezierPath", "NSBezierPath", "CGMutablePath"].contains($0) } ?? false }

    /// A property of an SDK object is set.
    mutating func writeGeometry(_ name: String, of id: ObjectID, _ value: Value) {
        guard let knowledge else { return }
        if name == "autoresizingMask" {
            world.geometry.masked.insert(id)
            if Self.keepsSize(mask: value) { world.geometry.rigid.insert(id) } else { world.geometry.rigid.remove(id) }
            if Self.keepsSize(mask: value, except: "width") { world.geometry.steadyHeights.insert(id) } else { world.geometry.steadyHeights.remove(id) }
        } else if knowledge.laysOutLater(name) { world.geometry.constrained.insert(id) }
        if layoutDepth > 0, knowledge.setsFrame(name) { for property in GeometryLog.places { world.geometry.setByLayout.insert(GeometryLog.Kept(object: id, property: property)) } }
        guard knowledge.keeps.contains(name) else { return }
        // Whoever sets it, it has a size now.
        world.geometry.empty.remove(id)
        let kept = GeometryLog.Kept(object: id, property: name)
        if layoutDepth > 0 {
            world.geometry.setByLayout.insert(kept)
        } else if let read = read(behind: value) {
            guard let site = place, read.object != id || read.property != name else { return }
            world.geometry.given.remove(id)
            world.geometry.replace(kept, in: event)
            world.geometry.note(kept, read.isParameter ? read.used(at: site) : read, site)
        } else {
            world.geometry.replace(kept, in: event)
            if name == "frame" || name == "bounds" { world.geometry.given.insert(id) }
        }
    }

    /// Whether a mask only moves a view: it is none, or made of margins; a dimension may be left out of the question.
    private static func keepsSize(mask: Value, except dimension: String? = nil) -> Bool {
        switch mask {
        case .integer(0): true
        case .named(let name, []): name.hasSuffix("Margin") || name.hasSuffix("None") || (dimension.map { name.lowercased().hasSuffix("flexible\($0)") } ?? false)
        case .collection(let parts): parts.allSatisfy { keepsSize(mask: $0, except: dimension) }
        default: false
        }
    }

    /// The properties of a layer by which it fills a view.
    private static let fillings: Set<String> = ["frame", "bounds", "path"]

    private func isLayer(_ id: ObjectID) -> Bool { className(of: id).map { program.platform.isClass($0, kindOf: "CALayer") } ?? false }

    private func isView(_ id: ObjectID) -> Bool { className(of: id).map { program.platform.isClass($0, kindOf: "UIView") } ?? false }

    /// Somebody who uses the object calls it: one that is given its size before that has it now, and what fills it as well.
    mutating func sizeForUse(_ id: ObjectID) {
        guard let knowledge, let name = className(of: id), knowledge.sizedForUse.contains(where: { program.platform.isClass(name, kindOf: $0) }) else { return }
        world.geometry.settled.insert(id)
    }

    /// Whether an object was given its size, or is the content of one that was.
    private func isSettled(_ id: ObjectID) -> Bool {
        world.geometry.settled.contains { $0 == id || world[$0].fields["contentView"] == .object(id) }
    }

    /// The objects that are some controller's view, or the list with which UIKit fills it.
    private func viewsOfControllers() -> Set<ObjectID> {
        Set(world.objects.indices.flatMap { index -> [ObjectID] in
            guard let name = className(of: ObjectID(index: index)) else { return [] }
            return Self.filling.compactMap { property, controller in
                guard let value = world.objects[index].fields[property], program.platform.isClass(name, kindOf: controller) else { return nil }
                return switch value {
                case .object(let id): id
                case .unknown(let number): world.geometry.holders[number]
                default: nil
                }
            }
        })
    }

    /// The properties of controllers whose views are as large as the screen gives them room (UICollectionViewController and UITableViewController pages).
    private static let filling = [("view", "UIViewController"), ("collectionView", "UICollectionViewController"), ("tableView", "UITableViewController")]

    /// Whether an object stands for the view of something that the run does not know, which is a controller for all that it knows.
    private func isViewOfUnknown(_ id: ObjectID) -> Bool {
        world.geometry.holders.contains { number, holder in
            holder == id && world.shared.contains { key, value in value == .unknown(number) && key.hasPrefix("?") && key.hasSuffix(".view") }
        }
    }

    /// The property of which a value is a part: `contentInset` for what is read to set `contentInset.top`.
    func part(_ base: Operand, in frame: Int) -> GeometryLog.Kept? {
        if case .field(let id, let name)? = origin(of: base, in: frame) { return GeometryLog.Kept(object: id, property: name) }
        guard case .unknown(let number) = operand(base, in: frame), case .shared? = origin(of: base, in: frame) else { return nil }
        return world.geometry.parts[number]
    }

    /// The objects in outlets of the project's objects, and those of them whose size a nib fixes.
    private func outletObjects() -> (all: Set<ObjectID>, fixed: Set<ObjectID>) {
        var found: Set<ObjectID> = []
        var fixed: Set<ObjectID> = []
        for object in world.objects {
            guard case .project(let type) = object.kind else { continue }
            for (name, value) in object.fields {
                guard case .object(let id) = value, property(name, of: type)?.member.isOutlet ?? false else { continue }
                found.insert(id)
                if program.isFixed(["width", "height"], ofOutlet: name, of: type) { fixed.insert(id) }
                if case .object(let holder)? = world[id].fields["superview"], program.isFixed(["width", "height"], ofOutlet: name, of: type, inside: true) { fixed.insert(holder) }
            }
        }
        return (found, fixed)
    }

    /// A property of an unknown value is set; the value stands for one object.
    mutating func writeGeometry(_ name: String, ofUnknown number: Int, _ value: Value) {
        guard let knowledge, knowledge.decidesOfSizes(name) || knowledge.setsFrame(name) else { return }
        let holder = holder(of: number)
        if world.geometry.ofNibs.contains(number) { world.geometry.masked.insert(holder) }
        writeGeometry(name, of: holder, value)
    }

    /// Notes what a read of a property of an unknown value begins, as `snp` begins its constraints.
    mutating func constrain(unknown number: Int, by name: String) {
        if let knowledge, knowledge.laysOutLater(name) { world.geometry.constrained.insert(holder(of: number)) }
    }

    /// The object that stands for an unknown value.
    private mutating func holder(of number: Int) -> ObjectID {
        if let known = world.geometry.holders[number] { return known }
        let made = world.make(.platform("NSObject"))
        world.geometry.holders[number] = made
        return made
    }

    /// Whether the layout sets the property anew from constraints: what of a size or place is kept there does not last.
    private func isDecidedByConstraints(_ kept: GeometryLog.Kept) -> Bool {
        world.geometry.constrained.contains(kept.object)
    }

    /// Whether the layout gives an object its place, by constraints, a mask or the code that it calls.
    private func isLaidOut(_ id: ObjectID) -> Bool {
        world.geometry.constrained.contains(id) || world.geometry.masked.contains(id) || world.geometry.setByLayout.contains { $0.object == id }
    }

    /// Notes that a view was given to somebody, of whom the run knows nothing, to give it its size.
    mutating func fit(_ value: Value, as name: String) {
        if watchesGeometry, case .object(let id) = value, library.geometry?.fittedBy.contains(name) ?? false { world.geometry.settled.insert(id) }
    }

    /// The view whose layer an object is.
    private func viewWithLayer(_ layer: ObjectID) -> ObjectID? {
        world.objects.indices.lazy.map(ObjectID.init(index:)).first { world[$0].fields["layer"] == .object(layer) }
    }

    /// Whether what was read early is what every layout leaves, by what the project says of its apps and nibs.
    private func isFinal(_ read: GeometryLog.Read, outlets: Set<ObjectID>, fixed: Set<ObjectID>) -> Bool {
        if read.property == "bounds", world.geometry.keepsItsSize(read.object) { return true }
        if GeometryLog.places.contains(read.property), hasFinalSize(read.object) { return true }
        // The middle of a view that was made without a size, and that no layout is told of, is its corner.
        if read.property == "center", world.geometry.empty.contains(read.object), !isLaidOut(read.object) { return true }
        if read.property == "bounds", case let view = viewWithLayer(read.object) ?? read.object, ["width", "height"].allSatisfy({ isFixedByItsNibs($0, of: view) }) { return true }
        if ["frame", "bounds"].contains(read.property), fixed.contains(read.object) || outlets.contains(read.object) && isOfUnreadNib(read.object) { return true }
        return isBarOfContainer(read.object) || isListOfOwnCell(read.object)
    }

    /// Whether an object is the list that a cell is in, which asks for its cells when it is laid out.
    private func isListOfOwnCell(_ id: ObjectID) -> Bool {
        guard id != ClassRuns.object, let type = ownType, ["UITableViewCell", "UICollectionReusableView", "UITableViewHeaderFooterView"].contains(where: { program.isType(type, kindOf: $0) }),
              let name = className(of: id) else { return false }
        return ["UITableView", "UICollectionView"].contains { program.platform.isClass(name, kindOf: $0) }
    }

    /// After the run: what still keeps a size that was read before the first layout.
    mutating func watchGeometry(firstLayout: Int, ownView: ObjectID?, appearances: Set<Int>, isRefreshed: (Site) -> Bool) {
        guard let knowledge, let rule = library.rules["geometry_before_layout"], world.geometry.uses.contains(where: { $0.read.event < firstLayout }) else { return }
        let fitted = Set(world.objects.flatMap { object in knowledge.fittedBy.compactMap { name in if case .object(let id)? = object.fields[name] { id } else { nil } } })
        let (outlets, fixed) = outletObjects()
        let views = viewsOfControllers()
        /// Where the early size was read by which an object was placed.
        var placed: [ObjectID: Site] = [:]
        var sized: Set<ObjectID> = []
        for (kept, read, site) in world.geometry.uses where read.event < firstLayout {
            // What is placed by a size that is final has its size as well.
            if isFinal(read, outlets: outlets, fixed: fixed) {
                if GeometryLog.places.contains(kept.property) { sized.insert(kept.object) }
                continue
            }
            if isSetByCodeOfLayout(kept, knowledge) { continue }
            // A view that takes the size of what a nib gave it to hold, which follows it from then on.
            if kept.object == ClassRuns.object, world.geometry.masked.contains(read.object) { continue }
            // Who was given its size has it, and so has what that one placed.
            if read.isGiven || sized.contains(read.object), !isLaidOut(read.object), !outlets.contains(read.object), read.object != ownView {
                if GeometryLog.places.contains(kept.property) { sized.insert(kept.object) }
                continue
            }
            if isConstantlyFramed(read.object) { continue }
            // The frame that a view was made with may be its last one; a layer that fills it follows no other.
            if read.isParameter || isCellAsLargeAsItemOf(read.object) || isLastinglyFramed(read.object), !isLayer(kept.object) || !Self.fillings.contains(kept.property) {
                if GeometryLog.places.contains(kept.property) { sized.insert(kept.object) }
                continue
            }
            // The controller's own view has its size when it is about to appear.
            if read.object == ownView, appearances.contains(read.event), read.property != "safeAreaInsets" { continue }
            guard !world.geometry.setByLayout.contains(kept), !world.geometry.settled.contains(kept.object), !isDecidedByConstraints(kept), !fitted.contains(kept.object), !isRefreshed(site) else { continue }
            // A mask follows the superview, in AppKit one that had a size; a controller's view in UIKit has one from the start.
            let isOfUIKit = isView(kept.object) || (world.geometry.holders.values.contains(kept.object) && isView(read.object))
            // Lists and grids say themselves how large their content is.
            if kept.property == "contentSize", let name = className(of: kept.object), ["UICollectionView", "UITableView"].contains(where: { program.platform.isClass(name, kindOf: $0) }) { continue }
            if world.geometry.masked.contains(kept.object), isOfUIKit || !read.isZero { continue }
            if views.contains(kept.object) || isViewOfUnknown(kept.object), isOfUIKit { continue }
            // What a nib holds has its mask or its constraints there.
            if outlets.contains(kept.object), GeometryLog.places.contains(kept.property) { continue }
            // What was placed by an early size is early itself: one mistake, however far it spreads.
            if let cause = placed[read.object] {
                placed[kept.object] = cause
                let step = LogEntry(event: read.event, site: site, note: "sets '\(kept.property)' by what comes of it")
                if let first = world.violations.firstIndex(where: { $0.rule == rule.id && $0.site == cause }) { world.violations[first].steps.insert(step, at: world.violations[first].steps.count - 1) }
                continue
            }
            if GeometryLog.places.contains(kept.property) { placed[kept.object] = read.site }
            var violation = Violation(
                rule: rule.id, family: "", state: "stale", site: read.site,
                detail: "'\(read.property)' is read before the layout has set it, and '\(kept.property)' keeps what comes of it; "
                    + "set it in a method that the layout calls", related: [site])
            violation.event = firstLayout
            // What is as wide as the screen for good only moves below bars.
            violation.isSlight = GeometryLog.places.contains(read.property) && hasSteadyWidth(read.object)
            violation.steps = [
                LogEntry(event: read.event, site: read.site, note: "reads '\(read.property)' before the first layout"),
                LogEntry(event: read.event, site: site, note: "sets '\(kept.property)' by it"),
                LogEntry(event: firstLayout, site: site, note: "the layout sets '\(read.property)' anew, \(violation.isSlight ? "below opaque bars" : "as each rotation does"), and '\(kept.property)' keeps the old value"),
            ]
            if !world.violations.contains(where: { $0.rule == violation.rule && $0.site == violation.site }) { world.violations.append(violation) }
        }
    }
}
