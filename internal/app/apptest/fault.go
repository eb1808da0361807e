package apptest

func Err[T any](_ T, err error) error { return err }
