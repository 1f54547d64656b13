-- A node that renews reads its own partitions and counts the others'.
create index partitions_owner on partitions (owner);
