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
            mix(object.isOfSDK)
            switch object.kind {
            case .project(let type): mix(type.index)
            case .platform(let name): mix(name)
            }
            mix(unordered: object.fields) { fingerprint, field in
                fingerprint.mix(field.key)
                fingerprint.mix(field.value)
                fingerprint.mix(object.weakFields.contains(field.key))
            }
        }
        for closure in world.closures {
            mix(closure.site)
            mix(closure.frame)
            for (local, value) in closure.captured.all {
                mix(Int(local.index))
                mix(value)
            }
        }
        for frame in world.frames {
            mix(frame.selfValue)
            mix(frame.parent ?? -1)
            for (local, value) in frame.locals.all {
                mix(Int(local.index))
                mix(value)
            }
            for (register, value) in frame.registers.all {
                mix(Int(register.index))
                mix(value)
            }
        }
        mix(unordered: world.shared) { fingerprint, one in
            fingerprint.mix(one.key)
            fingerprint.mix(one.value)
        }
        for one in world.registrations { mix(one) }
        mix(unordered: world.emptied) { fingerprint, one in
            fingerprint.mix(one.object.index)
            fingerprint.mix(one.field)
            fingerprint.mix(one.member)
        }
        mix(unordered: world.ranReleases) { $0.mix($1) }
        mix(unordered: world.entered) { fingerprint, place in
            fingerprint.mix(place.file)
            fingerprint.mix(place.line)
            fingerprint.mix(place.column)
        }
        mix(unordered: answers) { fingerprint, answer in
            fingerprint.mix(answer.key)
            fingerprint.mix(answer.value)
        }
    }

    private mutating func mix(_ question: Choices.Question) {
        switch question {
        case .isTrue(let number): mix(1); mix(number)
        case .isPresent(let number): mix(2); mix(number)
        case .matches(let number, let pattern): mix(3); mix(number); mix(pattern)
        case .equals(let number, let value): mix(4); mix(number); mix(value)
        case .other(let number): mix(5); mix(number)
        case .isCalled(let number): mix(6); mix(number)
        }
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
        mix(one.isDetached)
        mix(one.isHandedOn)
        mix(one.isReplaced)
        mix(one.event)
        mix(one.ended?.event ?? -1)
        mix(one.ended?.isFromOutside ?? false ? 1 : 0)
        if let site = one.ended?.site { mix(site) }
        if let site = one.started { mix(site) }
    }
}
