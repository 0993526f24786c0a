module example.com/story

go 1.24

require github.com/centavo/centavo-go v0.0.0

require gopkg.in/validator.v2 v2.0.1 // indirect

replace github.com/centavo/centavo-go => ../../../clients/go
