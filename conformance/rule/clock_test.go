package rule

import "time"

func clockAtZero() time.Time { return time.Time{} }
