package web_test

func pointsOfFrame() []point {
	return []point{
		{78, "the right column belongs to the page", []proof{{"thread", participantsAreNextToTheThread}}},
	}
}
