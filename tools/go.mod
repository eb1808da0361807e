module linnet/tools

go 1.26.0
