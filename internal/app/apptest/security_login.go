package apptest

const RightPassword = "correct horse"
