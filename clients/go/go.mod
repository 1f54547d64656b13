module belfry

go 1.19
