import Replay

extension Fingerprint {
    /// What tells a widened life from others.
    init(of life: Life) {
        self.init()
        mix(life.wasUsed)
        mix(life.appearances.count)
        mix(life.machine.world, answers: life.machine.choices.answers)
    }

    /// Feeds a store in which everything is numbered in an order of its own.
    mutating func mix(_ world: World, answers: [Choices.Question: Bool]) {
        for object in world.objects {
            mix(object.isFreed)
            mix(object.isShared)
            switch object.kind {
            case .project(let type): mix(type.index)
            case .platform(let name): mix(name)
            }
            for (name, value) in object.fields.sorted(by: { $0.key < $1.key }) {
                mix(name)
                mix(value)
                mix(object.weakFields.contains(name))
            }
        }
        for closure in world.closures {
            mix(closure.site)
            mix(closure.frame)
            for (local, value) in closure.captured.sorted(by: { $0.key.index < $1.key.index }) {
                mix(Int(local.index))
                mix(value)
            }
        }
        for frame in world.frames {
            mix(frame.selfValue)
            mix(frame.parent ?? -1)
            for (local, value) in frame.locals.sorted(by: { $0.key.index < $1.key.index }) {
                mix(Int(local.index))
                mix(value)
            }
            for (register, value) in frame.registers.sorted(by: { $0.key.index < $1.key.index }) {
                mix(Int(register.index))
                mix(value)
            }
        }
        for key in world.shared.keys.sorted() {
            mix(key)
            mix(world.shared[key] ?? .void)
        }
        for one in world.registrations { mix(one) }
        for one in world.emptied.map({ "\($0.object.index).\($0.field)" }).sorted() { mix(one) }
        let releases = world.ranReleases.sorted { ($0.file, $0.span.start.line, $0.span.start.column) < ($1.file, $1.span.start.line, $1.span.start.column) }
        for site in releases { mix(site) }
        for place in world.entered.map({ [$0.file, $0.line, $0.column] }).sorted(by: { $0.lexicographicallyPrecedes($1) }) { for part in place { mix(part) } }
        for answer in answers.map({ "\($0.key) \($0.value)" }).sorted() { mix(answer) }
    }

    private mutating func mix(_ one: Registration) {
        mix(one.family)
        mix(one.site)
        mix(one.key)
        mix(one.observer)
        mix(one.observed)
        mix(one.token?.index ?? -1)
        mix(one.held)
        mix(one.isLive)
        mix(one.isHandedOn)
        mix(one.isReplaced)
        mix(one.event)
        mix(one.ended?.event ?? -1)
        mix(one.ended?.isFromOutside ?? false ? 1 : 0)
        if let site = one.ended?.site { mix(site) }
        if let site = one.started { mix(site) }
    }
}
