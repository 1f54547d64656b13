-- Once, at the primary: the role of the nodes, and its database.
create role belfry login password 'change-me-4';
create database belfry owner belfry encoding 'UTF8' template template0;
