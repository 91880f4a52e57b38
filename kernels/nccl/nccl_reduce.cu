// Every device has a part of the elements, and reduces it as one
// GPU alone would. There is no kernel to write: the program then
// calls NCCL once for each device, with the first one as root,
//
//   ncclReduce(sum, out, 1, type, operation, 0, comm, stream);
//
// What NCCL launches for that, and how its devices meet, is its
// own.
