package schemas

// v1 is the edition that most tests speak of.
var v1 = Ours().Edition(1, true)
