package main

// withoutWaiting is nothing here: no name of a file is one of a pipe that has to be waited for.
const withoutWaiting = 0
