import UIKit

/// A face that blinks while it is on screen.
final class BlinkingController: FaceController {
    private var timer: Timer?
    private var nap: Timer?

    override func viewDidAppear(_ animated: Bool) {
        super.viewDidAppear(animated)
        timer?.invalidate()
        timer = Timer.scheduledTimer(withTimeInterval: 2, repeats: true) { [weak self] _ in
            self?.blink()
        }
    }

    override func viewWillDisappear(_ animated: Bool) {
        super.viewWillDisappear(animated)
        timer?.invalidate()
        timer = nil
    }

    private func blink() {
        expression = expression.toggled
        // Right: a timer that fires once ends by itself.
        nap = Timer.scheduledTimer(withTimeInterval: 0.2, repeats: false) { [weak self] _ in
            guard let self else { return }
            self.expression = self.expression.toggled
        }
    }
}

/// A face that stares for ever: its timer keeps it alive, and only its deinit would end the timer.
final class StaringController: FaceController {
    private var timer: Timer?

    override func viewDidLoad() {
        super.viewDidLoad()
        // The run loop keeps the timer, the timer keeps its target, so deinit never runs.
        timer = Timer.scheduledTimer( // expect: timer_retains_controller
            timeInterval: 1, target: self, selector: #selector(stare), userInfo: nil, repeats: true)
    }

    deinit {
        timer?.invalidate()
    }

    @objc private func stare(_ timer: Timer) {
        expression = expression.happier
    }
}

/// A face that fidgets: it never stops one timer and starts another twice.
final class FidgetingController: FaceController {
    private var tick: Timer?
    private var breath: Timer?

    override func viewDidLoad() {
        super.viewDidLoad()
        // Nobody holds it and its block never ends it, so it ticks after the face is gone.
        Timer.scheduledTimer(withTimeInterval: 1, repeats: true) { [weak self] _ in // expect: timer_not_invalidated
            self?.cheer()
        }
        // Right: the block ends its own timer when the face is gone.
        Timer.scheduledTimer(withTimeInterval: 5, repeats: true) { [weak self] timer in
            guard let self else {
                timer.invalidate()
                return
            }
            self.cheer()
        }
    }

    override func viewDidDisappear(_ animated: Bool) {
        super.viewDidDisappear(animated)
        tick?.invalidate()
        breath?.invalidate()
        // An invalidated timer is dead; this does not breathe out one last time.
        breath?.fire() // expect: timer_used_after_invalidate
        tick = nil
        breath = nil
    }

    /// Called by a button as often as it is pressed.
    @IBAction func fasten() {
        // The timer that runs already is forgotten here and can no longer be stopped.
        tick = Timer.scheduledTimer(withTimeInterval: 0.5, repeats: true) { [weak self] _ in // expect: timer_rescheduled
            self?.cheer()
        }
    }

    /// Called by a button; starts over when it runs already.
    @IBAction func breathe() {
        breath?.invalidate()
        breath = Timer.scheduledTimer(withTimeInterval: 2, repeats: true) { [weak self] _ in
            self?.cheer()
        }
    }

    private func cheer() {
        expression = expression.happier
    }
}

/// A face whose timers never start.
final class SleepyController: FaceController {
    // There is no self yet when a property gets its first value, so the target is something else.
    private var doze = Timer.scheduledTimer(timeInterval: 3, target: self, selector: #selector(nod), userInfo: nil, repeats: true) // expect: self_before_init
    private var snore: Timer?
    private var sigh: Timer?

    override func viewDidAppear(_ animated: Bool) {
        super.viewDidAppear(animated)
        snore?.invalidate()
        // No run loop knows this timer, so it never fires.
        snore = Timer(timeInterval: 2, repeats: true) { [weak self] _ in // expect: timer_not_scheduled
            self?.nod()
        }
        sigh?.invalidate()
        let timer = Timer(timeInterval: 4, repeats: true) { [weak self] _ in self?.nod() }
        RunLoop.main.add(timer, forMode: .common)
        sigh = timer
    }

    override func viewWillDisappear(_ animated: Bool) {
        super.viewWillDisappear(animated)
        doze.invalidate()
        snore?.invalidate()
        sigh?.invalidate()
    }

    @objc private func nod() {
        expression = expression.sadder
    }
}
