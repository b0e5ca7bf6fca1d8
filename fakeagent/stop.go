package fakeagent

// cancel stops the turn as session/cancel does.
func (t *Turn) cancel() { t.stop(&t.cancelled) }

// cancelByRequest stops the turn as $/cancel_request does.
func (t *Turn) cancelByRequest() { t.stop(&t.byRequest) }

func (t *Turn) stop(flag *bool) {
	for stopped := false; !stopped; {
		t.c.mu.Lock()
		waiting := t.waiting
		t.c.mu.Unlock()
		if !t.interruptible(waiting) {
			return
		}
		stopped = t.stopIn(waiting, waiting != waitClient || t.b.LetGo(t), flag)
	}
}

// stopIn stops the turn if it is still waiting for the same, and otherwise reports false.
func (t *Turn) stopIn(waiting wait, letGo bool, flag *bool) bool {
	t.c.mu.Lock()
	defer t.c.mu.Unlock()
	switch {
	case t.waiting != waiting:
		return false
	case t.done:
		return true
	}
	*flag = true
	// In version 1 a client answers an open permission request when it cancels, and the answer is waited for.
	if t.waiter != nil && (waiting != waitPermission || t.d.withdraws) && letGo {
		t.c.wakeLocked(t.waiter, answer{cancelled: true})
	}
	return true
}

// interruptible asks the behaviour for what the turn does just now whether a cancel has an effect.
func (t *Turn) interruptible(waiting wait) bool {
	switch waiting {
	case waitCancel:
		return t.b.InterruptWait(t)
	case waitTool:
		return t.b.InterruptTool(t)
	case waitPermission:
		return t.b.InterruptPermission(t)
	case waitClient:
		return t.b.InterruptClient(t)
	}
	return t.b.InterruptWork(t)
}

func interrupt(*Turn) bool { return true }

// waitFor parks the turn after begin has told the client about it. It returns errCancelled or errGone, or nil when the
// client has answered.
func (t *Turn) waitFor(kind wait, begin func(w *waiter)) (answer, error) {
	t.c.mu.Lock()
	if err := t.stoppedLocked(); err != nil {
		t.c.mu.Unlock()
		return answer{}, err
	}
	w := t.c.newWaiterLocked()
	t.waiting, t.waiter = kind, w
	t.c.mu.Unlock()
	begin(w)
	ans := t.c.park(w)
	t.c.mu.Lock()
	defer t.c.mu.Unlock()
	t.waiting, t.waiter = waitNothing, nil
	switch {
	case ans.gone:
		return ans, errGone
	case t.cancelled || t.byRequest:
		return ans, errCancelled
	}
	return ans, nil
}

// stoppedLocked says why the turn may not begin to wait.
func (t *Turn) stoppedLocked() error {
	switch {
	case t.cancelled || t.byRequest:
		return errCancelled
	case t.c.closed:
		return errGone
	}
	return nil
}
