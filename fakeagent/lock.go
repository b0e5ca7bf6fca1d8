package fakeagent

import (
	"errors"
	"fmt"
	"os"
	"runtime"
	"strings"
	"syscall"
)

// An agent of the variant "locks-sessions" keeps a file beside that of every session that it has in memory. Another process
// that shares the store then refuses to load or resume the session, but still tells its status.

func locks(*Agent) bool { return false }

func lockedSession(id string) *Error {
	return &Error{Code: codeInternal, Message: "The session is in use by another process", Data: Object{"sessionId": id}}
}

// locking tells whether there is anything to lock.
func (a *Agent) locking() bool { return a.store.dir != "" && a.Behaviour.Locks(a) }

// holder names this agent among those that live.
func (a *Agent) holder() string { return fmt.Sprintf("%d %p", os.Getpid(), a) }

func (a *Agent) lockFile(id string) string {
	return strings.TrimSuffix(a.store.file(id), sessionFile) + ".lock"
}

// lock takes the lock of a session, unless somebody who lives has it.
func (a *Agent) lock(id string) *Error {
	if !a.locking() {
		return nil
	}
	for range 2 {
		f, err := os.OpenFile(a.lockFile(id), os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
		if err == nil {
			_, _ = f.WriteString(a.holder())
			_ = f.Close()
			return nil
		}
		holder, _ := os.ReadFile(a.lockFile(id))
		if string(holder) == a.holder() {
			return nil
		}
		if alive(string(holder)) {
			break
		}
		_ = os.Remove(a.lockFile(id))
	}
	return lockedSession(id)
}

// steal takes the lock whoever has it.
func (a *Agent) steal(id string) {
	if a.locking() {
		_ = os.WriteFile(a.lockFile(id), []byte(a.holder()), 0o600)
	}
}

// hasLock tells whether a session may be worked with.
func (a *Agent) hasLock(id string) bool {
	if !a.locking() {
		return true
	}
	holder, err := os.ReadFile(a.lockFile(id))
	return err == nil && string(holder) == a.holder()
}

func (a *Agent) unlock(id string) {
	if a.locking() && a.hasLock(id) {
		_ = os.Remove(a.lockFile(id))
	}
}

// alive tells whether the process of a holder exists. An agent in this process gives its locks back when it ends.
func alive(holder string) bool {
	var pid int
	if _, err := fmt.Sscan(holder, &pid); err != nil || pid == os.Getpid() {
		return true // it may just be writing its name
	}
	p, err := os.FindProcess(pid)
	if err != nil {
		return false
	}
	err = p.Signal(syscall.Signal(0))
	return err == nil || errors.Is(err, os.ErrPermission) || runtime.GOOS == "windows"
}

// enter and exit are called for every connection. The sessions of an agent without a connection are not locked.
func (a *Agent) enter() {
	a.update(func() { a.conns++ })
	if a.locking() {
		for _, s := range a.inMemory() {
			_ = a.lock(s.ID)
		}
	}
}

func (a *Agent) exit() {
	var last bool
	a.update(func() {
		a.conns--
		last = a.conns == 0
	})
	if last && a.locking() {
		for _, s := range a.all() {
			a.unlock(s.ID)
		}
	}
}
