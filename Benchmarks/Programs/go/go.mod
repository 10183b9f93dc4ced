module wire

go 1.19
