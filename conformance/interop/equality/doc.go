// Package equality proves that the schemas of acp-conform say the same as the official ones.
//
// The official JSON Schemas come with the npm package @agentclientprotocol/sdk and are read where npm has put them; nothing of
// them is part of this repository. For every definition of every edition the tests make instances out of the official text, some
// that follow it and many that nearly do, and ask both sides for a verdict: is it valid, and if it is not, would a tolerant
// reader cope? What is not a verdict (methods and their sides, names of updates, listed values, error codes, defaults, marks for
// readers) is compared name by name, so that a new official release shows what is missing here.
//
// Instances come from fixed seeds, so that two runs compare the same ones. Where the two sides are meant to differ, the table
// in listed_test.go says why. The tests need `npm ci` in the folder above; without it they are skipped, as the others there.
package equality
