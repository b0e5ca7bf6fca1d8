package main

import (
	"io/fs"
	"os"
)

// withoutWaiting is nothing here: no name of a file is one of a pipe that has to be waited for.
const withoutWaiting = 0

// keepOwner does nothing here: a file belongs to whom its folder says.
func keepOwner(*os.File, fs.FileInfo) {}
