package fakeagent

import "strings"

// messageIDs replaces the ids of messages.
func messageIDs(id func(t *Turn, kind string, n int) string) func(*Behaviour) {
	return func(b *Behaviour) { b.MessageID = id }
}

// messageFaults are about messages, their chunks and their ids.
func messageFaults() []Fault {
	return []Fault{
		{Name: "message-id-returns", Description: "goes on with a message after another one has begun", Break: afterReply(func(t *Turn) {
			first, second := t.newMessageID("agent"), t.newMessageID("agent")
			for _, id := range []string{first, second, first} {
				t.send(t.b.MessageChunk(t, t.b.TextBlock("part"), id))
			}
		})},
		{Name: "message-id-shared-with-thought", Description: "gives a thought and a message the same messageId", Break: afterReply(func(t *Turn) {
			id := t.newMessageID("agent")
			t.send(t.b.ThoughtChunk(t, t.b.TextBlock("hm"), id))
			t.send(t.b.MessageChunk(t, t.b.TextBlock("so"), id))
		})},
		{Name: "message-id-reused", Description: "uses the same messageId in every turn", Break: messageIDs(func(_ *Turn, kind string, _ int) string {
			return "msg_" + kind
		})},
		{Name: "message-id-mixed", Description: "leaves messageId out of some chunks of a turn", Break: afterReply(func(t *Turn) {
			t.send(t.b.MessageChunk(t, t.b.TextBlock("part"), ""))
		})},
		{Name: "message-id-empty", Description: "sends a chunk with an empty messageId", Break: func(b *Behaviour) {
			b.MessageChunk = func(_ *Turn, content any, _ string) Object {
				return with(chunk("agent_message_chunk", content, ""), "messageId", "")
			}
		}},
		{Name: "chunk-content-array", Description: "sends a list of blocks as the content of a chunk",
			Break: extraUpdate(with(textChunk(), "content", []any{textBlock("extra")}))},
		{Name: "chunk-content-string", Description: "sends a string as the content of a chunk", Break: extraUpdate(with(textChunk(), "content", "extra"))},
		{Name: "chunk-content-null", Description: "sends null as the content of a chunk", Break: extraUpdate(with(textChunk(), "content", nil))},
		{Name: "thought-as-message", Description: "sends thoughts as messages", Break: func(b *Behaviour) { b.ThoughtChunk = messageChunk }},
	}
}

// extraBlock says one more block at the beginning of a plain turn. It does not enter the history.
func extraBlock(block Object) func(*Behaviour) {
	return extraUpdate(with(textChunk(), "content", block))
}

// resourceWith is the text resource with one member changed.
func resourceWith(key string, value any) Object {
	block := resourceBlock()
	return with(block, "resource", with(block["resource"].(Object), key, value))
}

func annotated(annotations any) func(*Behaviour) { return extraBlock(linkBlock(annotations)) }

// contentFaults are about content blocks.
func contentFaults() []Fault {
	return []Fault{
		{Name: "block-unknown-type", Description: "sends a block of an unknown type", Break: extraBlock(Object{"type": "video", "data": ""})},
		{Name: "block-without-type", Description: "sends a block without a type", Break: extraBlock(Object{"text": "extra"})},
		{Name: "text-without-text", Description: "sends a text block without text", Break: extraBlock(Object{"type": "text"})},
		{Name: "text-number", Description: "sends a text block whose text is a number", Break: extraBlock(Object{"type": "text", "text": 5})},
		{Name: "image-without-mime-type", Description: "sends an image without mimeType", Break: extraBlock(lacking(imageBlock(), "mimeType"))},
		{Name: "image-snake-case-mime-type", Description: "sends an image with mime_type in place of mimeType",
			Break: extraBlock(with(lacking(imageBlock(), "mimeType"), "mime_type", "image/png"))},
		{Name: "audio-without-data", Description: "sends audio without data", Break: extraBlock(lacking(audioBlock(), "data"))},
		{Name: "link-without-name", Description: "sends a resource link without a name", Break: extraBlock(lacking(linkBlock(nil), "name"))},
		{Name: "resource-without-resource", Description: "sends an embedded resource without the resource", Break: extraBlock(Object{"type": "resource"})},
		{Name: "resource-without-uri", Description: "sends an embedded resource without a uri", Break: extraBlock(Object{
			"type": "resource", "resource": Object{"text": "some notes"}})},
		{Name: "image-not-base64", Description: "sends an image whose data is not Base64", Break: extraBlock(with(imageBlock(), "data", "not base64!"))},
		{Name: "image-data-url", Description: "sends an image whose data is a data URL", Break: extraBlock(with(imageBlock(), "data",
			"data:image/png;base64,"+text(imageBlock(), "data")))},
		{Name: "image-base64-url", Description: "sends an image in the alphabet of URLs", Break: extraBlock(with(imageBlock(), "data",
			"_-"+strings.NewReplacer("+", "-", "/", "_").Replace(text(imageBlock(), "data"))[2:]))},
		{Name: "image-base64-unpadded", Description: "sends an image whose data is not padded", Break: extraBlock(with(imageBlock(), "data", "AAA"))},
		{Name: "audio-not-base64", Description: "sends audio whose data is not Base64", Break: extraBlock(with(audioBlock(), "data", "%%%"))},
		{Name: "blob-not-base64", Description: "sends a blob that is not Base64", Break: extraBlock(Object{
			"type": "resource", "resource": Object{"uri": "file:///fake/pixel.png", "blob": "not base64!"}})},
		{Name: "image-mime-shape", Description: "sends an image whose mimeType is png", Break: extraBlock(with(imageBlock(), "mimeType", "png"))},
		{Name: "image-mime-other", Description: "sends an image whose mimeType is that of a text", Break: extraBlock(with(imageBlock(), "mimeType", "text/plain"))},
		{Name: "audio-mime-other", Description: "sends audio whose mimeType is that of an image", Break: extraBlock(with(audioBlock(), "mimeType", "image/png"))},
		{Name: "link-bare-path", Description: "sends a resource link to a bare path", Break: extraBlock(with(linkBlock(nil), "uri", "/fake/notes.txt"))},
		{Name: "link-malformed-uri", Description: "sends a resource link with a malformed uri", Break: extraBlock(with(linkBlock(nil), "uri", "file:// notes %zz"))},
		{Name: "resource-bare-path", Description: "sends an embedded resource with a bare path", Break: extraBlock(resourceWith("uri", "notes.txt"))},
		{Name: "resource-text-and-blob", Description: "sends an embedded resource with a text and a blob",
			Break: extraBlock(resourceWith("blob", "c29tZSBub3Rlcw=="))},
		{Name: "annotations-array", Description: "writes annotations as an array", Break: annotated([]any{"user"})},
		{Name: "annotations-bad-audience", Description: "writes an audience that is no role", Break: annotated(Object{"audience": []any{"everybody"}})},
		{Name: "annotations-audience-string", Description: "writes the audience as a string", Break: annotated(Object{"audience": "user"})},
		{Name: "annotations-bad-priority", Description: "writes the priority as a word", Break: annotated(Object{"priority": "high"})},
		{Name: "annotations-bad-time", Description: "writes lastModified as a number", Break: annotated(Object{"lastModified": 1767225600})},
	}
}
