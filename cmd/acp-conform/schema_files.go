package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"

	"github.com/acp-conform/acp-conform/schemas"
)

// checkedFile is a file that is to be judged.
type checkedFile struct {
	name    string
	text    []byte
	dropped bool // it was read to see whether it can be, but there was no room to keep it beside the others
}

// mostKept is how many bytes of files are kept in memory before the first is judged.
const mostKept = 2 * schemas.MaxPart

func (p *program) readFiles(o schemaOptions, d schemas.Definition, names []string) ([]checkedFile, error) {
	var files []checkedFile
	kept := 0
	for _, name := range names {
		text, again, err := p.readFile(o, d, name)
		if err != nil {
			return nil, err
		}
		f := checkedFile{name: name, text: text}
		if kept += len(text); kept > mostKept && again {
			kept -= len(text)
			f.text, f.dropped = nil, true
		}
		files = append(files, f)
	}
	return files, nil
}

const readable = "name a file that can be read, or - for stdin"

// readFile reads a file, or stdin, but no more than a byte beyond the size that can be judged. Again tells whether it can be
// read again. A message that was not taken out of its envelope is refused.
func (p *program) readFile(o schemaOptions, d schemas.Definition, name string) (text []byte, again bool, err error) {
	in := p.stdin
	if name == "-" {
		if p.terminal(p.stdin) {
			_, _ = fmt.Fprintln(p.stderr, programName+": reading from stdin; Ctrl-D ends it")
		}
	} else {
		f, err := openRegular(name)
		if err != nil {
			return nil, false, about("--check", name, err, readable)
		}
		defer f.Close()
		info, err := f.Stat()
		again = err == nil && info.Mode().IsRegular()
		in = f
	}
	text, err = p.guard.read(func() ([]byte, error) { return io.ReadAll(io.LimitReader(in, schemas.MaxPart+1)) })
	switch {
	case err != nil && name == "-":
		return nil, false, fmt.Errorf("--check -: stdin cannot be read: %w", cause(err))
	case err != nil:
		return nil, false, about("--check", name, err, readable)
	}
	if message := wholeMessage(d, text); message != nil {
		return nil, false, o.unwrap(name, message)
	}
	return text, again, nil
}

// wholeMessage recognises what somebody has forgotten to take out of its envelope. It returns the members of the message.
func wholeMessage(d schemas.Definition, text []byte) map[string]json.RawMessage {
	var object map[string]json.RawMessage
	if !bytes.HasPrefix(bytes.TrimLeft(text, " \t\r\n"), []byte("{")) || json.NewDecoder(bytes.NewReader(text)).Decode(&object) != nil {
		return nil
	}
	if !bytes.HasPrefix(object["jsonrpc"], []byte(`"`)) {
		return nil
	}
	if named, _ := d.Edition.Bundle(d.Name); bytes.Contains(named, []byte(`"jsonrpc"`)) {
		return nil // it is a definition of messages
	}
	return object
}

// unwrap says how to judge what is in a message.
func (o schemaOptions) unwrap(name string, message map[string]json.RawMessage) error {
	member, by := "params", "--method "+o.method
	has := func(member string) bool { return message[member] != nil }
	switch {
	case has("error") && string(message["error"]) != "null":
		member, by = "error", "--definition Error"
	case has("result"):
		member, by = "result", by+" --kind result"
	case !has("params"):
		return fmt.Errorf("--check %s: this is a whole JSON-RPC message, which has neither params nor a result: there is nothing in it to judge", name)
	case o.kind != "" && o.kind != string(schemas.Result):
		by += " --kind " + o.kind
	}
	if o.definition != "" && member != "error" {
		by = "--definition " + o.definition
	}
	if o.sender != "" && member != "error" {
		by += " --sender " + o.sender
	}
	filter := "jq ." + member
	if name != "-" {
		filter += " " + shellWord(name)
	}
	return fmt.Errorf("--check %s: this is a whole JSON-RPC message, give its %s alone: `%s | %s --check - %s`", name, member, filter, o.command(), by)
}
