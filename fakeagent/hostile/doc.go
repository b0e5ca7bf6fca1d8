// Package hostile is agents that no client should meet: each mode floods, hangs, crashes, lies or attacks in one way of its own.
// They are for whoever starts programs that are not his own: what such a program does must end in time, leave nothing behind
// and be called by its name.
//
// Most modes are the correct agent of package fakeagent with one thing replaced; the others only shovel bytes. Sizes and counts
// are those of the descriptions, times Options.Scale, so that tests can be short.
//
// A mode that asks for what it must not get, such as a file outside of the session's directory, ends with the status GaveIn if
// it gets it, and goes on as the correct agent otherwise. One that cannot prepare what it does ends with the status Unable.
//
// What a mode starts or leaves behind ends by itself after two minutes.
package hostile
